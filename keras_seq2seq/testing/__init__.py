"""Batteries of tests for your own scores, cells, searches and models.

Each raises `AssertionError` where an object breaks its contract.
"""

from keras_seq2seq.testing.cells import run_cell_test as run_cell_test
from keras_seq2seq.testing.checks import assert_close as assert_close
from keras_seq2seq.testing.checks import (
    assert_same_hypotheses as assert_same_hypotheses,
)
from keras_seq2seq.testing.fake_language import FakeLanguage as FakeLanguage
from keras_seq2seq.testing.models import run_model_test as run_model_test
from keras_seq2seq.testing.scores import run_score_test as run_score_test
from keras_seq2seq.testing.searches import run_search_test as run_search_test
from keras_seq2seq.testing.serialization import (
    run_serialization_test as run_serialization_test,
)
