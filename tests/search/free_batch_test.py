"""Searches in a TensorFlow graph that knows neither batch nor source."""

import keras
import numpy as np
import pytest

from keras_seq2seq.models import InferenceModel
from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search import DiverseBeamSearch
from keras_seq2seq.search import GreedySearch
from keras_seq2seq.search import Sampling
from keras_seq2seq.search.constraints import AllowedSequences
from keras_seq2seq.search.constraints import BannedSequences
from keras_seq2seq.search.constraints import BannedTokens
from keras_seq2seq.search.constraints import LengthRatio
from keras_seq2seq.search.constraints import NoRepeatNgram
from keras_seq2seq.search.constraints import RepetitionPenalty
from keras_seq2seq.testing import assert_same_hypotheses
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.models import gru_model
from tests.helpers.models import shaken

SIZES = {"max_length": 4}
MOST = [
    "forced_prefix",
    "banned_mask",
    BannedTokens([7]),
    BannedSequences([[3, 4], [5]]),
    LengthRatio(maximum=2.0),
    NoRepeatNgram(2),
    RepetitionPenalty(1.1),
]
SEARCHES = {
    "greedy": GreedySearch(constraints=MOST, **SIZES),
    "sampling": Sampling(
        top_k=5, top_p=0.9, min_p=0.01, num_samples=2, **SIZES
    ),
    "beam": BeamSearch(
        3,
        n_best=2,
        length_penalty="brevity",
        coverage_penalty="wu",
        patience=2.0,
        constraints=MOST,
        **SIZES,
    ),
    "trie": BeamSearch(
        3, constraints=[AllowedSequences([[3, 4], [5]])], **SIZES
    ),
    "diverse": DiverseBeamSearch(4, num_groups=2, n_best=4, **SIZES),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_free_batch(name):
    if keras.backend.backend() != "tensorflow":
        pytest.skip("graphs of a free batch are TensorFlow's")
    import tensorflow as tf

    inference = InferenceModel(
        shaken(gru_model()), SEARCHES[name], return_log_probs=True
    )
    source = model_batch(inference.model)[0]["encoder_token_ids"]
    inputs = {
        "encoder_token_ids": source,
        "prefix": np.array([[3, 0]] * 4, "int32"),
        "banned_mask": np.zeros((4, 8), "bool"),
        "seed": np.arange(4, dtype="int32"),
    }
    names = {"encoder_token_ids", *inference.search.input_names}
    inputs = {n: tf.constant(x) for n, x in inputs.items() if n in names}
    free = {
        n: tf.TensorSpec([None] * x.shape.rank, x.dtype)
        for n, x in inputs.items()
    }
    graph = tf.function(inference.call, input_signature=[free])
    found = graph(inputs)
    assert_same_hypotheses(found, inference.predict_on_batch(inputs))
    concrete = graph.get_concrete_function()
    for key in ("token_ids", "scores", "log_probs"):
        shape = concrete.structured_outputs[key].shape
        assert shape[1] == inference.search.n_best, key
