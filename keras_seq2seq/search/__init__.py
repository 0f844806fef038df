"""Searches: from a step function to the best hypotheses."""

from keras_seq2seq.search import constraints as constraints
from keras_seq2seq.search import penalties as penalties
from keras_seq2seq.search.beam_search import BeamSearch as BeamSearch
from keras_seq2seq.search.diverse_beam_search import (
    DiverseBeamSearch as DiverseBeamSearch,
)
from keras_seq2seq.search.greedy_search import GreedySearch as GreedySearch
from keras_seq2seq.search.inputs import SearchInput as SearchInput
from keras_seq2seq.search.sampling import Sampling as Sampling
from keras_seq2seq.search.search import Search as Search
