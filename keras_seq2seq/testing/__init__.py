"""Batteries of tests for parts of your own.

Each raises `AssertionError` where an object breaks its contract.
"""

from keras_seq2seq.testing.bridges import run_bridge_test as run_bridge_test
from keras_seq2seq.testing.cells import run_cell_test as run_cell_test
from keras_seq2seq.testing.checks import assert_close as assert_close
from keras_seq2seq.testing.checks import (
    assert_same_hypotheses as assert_same_hypotheses,
)
from keras_seq2seq.testing.constraints import (
    run_constraint_test as run_constraint_test,
)
from keras_seq2seq.testing.encoders import run_encoder_test as run_encoder_test
from keras_seq2seq.testing.fake_language import FakeLanguage as FakeLanguage
from keras_seq2seq.testing.models import run_model_test as run_model_test
from keras_seq2seq.testing.normalizers import (
    run_normalizer_test as run_normalizer_test,
)
from keras_seq2seq.testing.readouts import run_readout_test as run_readout_test
from keras_seq2seq.testing.scores import run_score_test as run_score_test
from keras_seq2seq.testing.searches import run_search_test as run_search_test
from keras_seq2seq.testing.serialization import (
    run_serialization_test as run_serialization_test,
)
from keras_seq2seq.testing.tokenizers import (
    run_tokenizer_test as run_tokenizer_test,
)
