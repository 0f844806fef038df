"""Tasks: model, tokenizers and search, from sources to strings."""

from keras_seq2seq.tasks.hypothesis import Hypothesis as Hypothesis
from keras_seq2seq.tasks.load import load as load
from keras_seq2seq.tasks.model_card import ModelCard as ModelCard
from keras_seq2seq.tasks.served_input import ServedInput as ServedInput
from keras_seq2seq.tasks.served_source import ServedSource as ServedSource
from keras_seq2seq.tasks.task import Task as Task
from keras_seq2seq.tasks.text_completion import TextCompletion as TextCompletion
from keras_seq2seq.tasks.text_to_text import TextToText as TextToText
