"""Data inputs of searches: what a call tells of each source."""

from keras_seq2seq.search.inputs.search_input import SearchInput as SearchInput
from keras_seq2seq.search.inputs.table import TABLE as TABLE
