"""Figures of merit: of whole corpora, by name, and Keras's for `fit`."""

from keras_seq2seq.metrics.perplexity import Perplexity as Perplexity
from keras_seq2seq.metrics.phoneme_error_rate import (
    phoneme_error_rate as phoneme_error_rate,
)
from keras_seq2seq.metrics.registry import get as get
from keras_seq2seq.metrics.word_error_rate import (
    word_error_rate as word_error_rate,
)
