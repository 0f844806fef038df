"""Sequence-to-sequence models for Keras 3."""

import keras_seq2seq_command as _command  # noqa: F401, it may be the command
from keras_seq2seq import data as data
from keras_seq2seq import export as export
from keras_seq2seq import layers as layers
from keras_seq2seq import losses as losses
from keras_seq2seq import metrics as metrics
from keras_seq2seq import models as models
from keras_seq2seq import ops as ops
from keras_seq2seq import plots as plots
from keras_seq2seq import search as search
from keras_seq2seq import sources as sources
from keras_seq2seq import tasks as tasks
from keras_seq2seq import testing as testing
from keras_seq2seq import text as text
from keras_seq2seq.version import __version__ as __version__
