"""Searches: from a step function to the best hypotheses."""

from keras_seq2seq.search.beam_search import BeamSearch as BeamSearch
from keras_seq2seq.search.greedy_search import GreedySearch as GreedySearch
from keras_seq2seq.search.search import Search as Search
