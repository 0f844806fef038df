"""Hypotheses that reach `max_length` stop only where constraints let them."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.models import InferenceModel
from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search import DiverseBeamSearch
from keras_seq2seq.search import GreedySearch
from keras_seq2seq.search import Sampling
from keras_seq2seq.search.constraints import Constraint
from keras_seq2seq.search.special import IMPOSSIBLE
from keras_seq2seq.testing import assert_same_hypotheses
from keras_seq2seq.testing.checks import to_numpy
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.enumeration import LANGUAGE
from tests.helpers.enumeration import LENGTH
from tests.helpers.enumeration import ROWS
from tests.helpers.enumeration import SPECIAL
from tests.helpers.enumeration import STATES
from tests.helpers.enumeration import check_bans
from tests.helpers.models import gru_model
from tests.helpers.models import shaken


class MustContain(Constraint):
    """A user's: no end before a token has come. It knows nothing of cuts."""

    def __init__(self, token_id):
        self.token_id = token_id

    def first_state(self, rows, max_length):
        return {"came": ops.zeros((rows, 1), "bool")}

    def __call__(self, log_probs, state, context):
        is_end = ops.arange(log_probs.shape[-1]) == context.end_token_id
        return ops.where(is_end & ~state["came"], IMPOSSIBLE, log_probs)

    def next_state(self, state, token_ids, index):
        came = ops.expand_dims(token_ids == self.token_id, 1)
        return {"came": state["came"] | came}

    def get_config(self):
        return {"token_id": self.token_id}


@pytest.mark.parametrize("token", [3, 4])
def test_what_must_come_against_enumeration(token):
    check_bans(
        MustContain(token),
        lambda row, before, new: new != 2 or token in before,
        may_stop=lambda row, tokens: token in tokens,
    )


def test_a_rule_of_each_row_against_enumeration():
    # It comes with a data input; its index may be `max_length`.
    least = np.array([0, 1, 4, 5] * (ROWS // 4), "int32")

    class Least(MustContain):
        input_names = ("least",)

        def first_state(self, rows, max_length):
            return {}

        def __call__(self, log_probs, state, context):
            is_end = ops.arange(log_probs.shape[-1]) == context.end_token_id
            before = ops.expand_dims(context.inputs["least"], 1)
            banned = is_end & (context.index < before)
            return ops.where(banned, IMPOSSIBLE, log_probs)

        def next_state(self, state, token_ids, index):
            return state

    check_bans(
        Least(3),
        lambda row, before, new: new != 2 or len(before) >= least[row],
        {"least": least},
        may_stop=lambda row, tokens: len(tokens) >= least[row],
    )


@pytest.mark.parametrize(
    "search",
    [
        GreedySearch(LENGTH),
        BeamSearch(3, n_best=2, max_length=LENGTH),
        DiverseBeamSearch(4, num_groups=2, n_best=3, max_length=LENGTH),
        Sampling(num_samples=3, max_length=LENGTH),
    ],
)
def test_what_cannot_be_met_leaves_nothing(search):
    # No token of this language has the id 1, the start token's.
    search = search.replace(constraints=[MustContain(1)])
    found = to_numpy(
        search(
            LANGUAGE.step,
            STATES,
            inputs={"seed": np.arange(ROWS)},
            return_log_probs=True,
            **SPECIAL,
        )
    )
    assert not found["token_ids"].any() and not found["lengths"].any()
    assert (found["scores"] == np.float32(-1e9)).all()
    assert not found["log_probs"].any()


def test_samples_are_those_that_may_stop():
    # Seeds draw the same tokens with and without; what fails falls out.
    free = Sampling(num_samples=8, max_length=LENGTH)
    inputs = {"seed": np.arange(ROWS)}
    last = free.replace(constraints=[LastIs4()])
    all_of, found = (
        to_numpy(search(LANGUAGE.step, STATES, inputs=inputs, **SPECIAL))
        for search in (free, last)
    )
    for row in range(ROWS):
        expected = [
            tokens.tolist()
            for tokens in all_of["token_ids"][row]
            if 2 in tokens or tokens[-1] == 4
        ]
        count = len(expected)
        assert found["token_ids"][row, :count].tolist() == expected
        assert not found["lengths"][row, count:].any()
    assert 0 < (found["lengths"] == 0).sum() < found["lengths"].size


class LastIs4(MustContain):
    """A rule for the cut alone: the last token is 4."""

    def __init__(self):
        super().__init__(4)

    def __call__(self, log_probs, state, context):
        return log_probs

    def next_state(self, state, token_ids, index):
        return {"came": ops.expand_dims(token_ids == self.token_id, 1)}

    def may_stop(self, log_probs, state, context):
        return state["came"]


def test_narrow_beams_give_what_may_stop():
    # Ranks of equal steps: 3 is best; only a rarer 4 lets a hypothesis stop.
    logits = ops.log(np.array([[0.0, 0.0, 0.1, 0.6, 0.3]] * 4, "float32"))
    search = BeamSearch(2, max_length=2, n_best=2, constraints=[MustContain(4)])
    found = search(
        lambda token_ids, states, cache, index: (logits, states, cache, None),
        ops.zeros((2, 1)),
        **SPECIAL,
    )
    # Live after a token: 3 and 4. Of the four best, 3 3 (.36) falls out.
    assert_same_hypotheses(
        to_numpy(found),
        {
            "token_ids": np.array([[[4, 3], [3, 4]]] * 2),
            "lengths": np.full((2, 2), 2),
            "scores": np.log(np.full((2, 2), 0.18, "float32")),
        },
    )


def test_prefixes_longer_than_a_graph_can_see():
    if keras.backend.backend() != "tensorflow":
        pytest.skip("graphs of a free batch are TensorFlow's")
    import tensorflow as tf

    prefix = np.array(
        [[3, 4, 2, 0], [3, 4, 3, 0], [3, 4, 3, 4], [3, 3, 3, 2]], "int32"
    )
    expected = [[3, 4, 2], [3, 4, 3], [0, 0, 0], [3, 3, 3]]
    for search in (GreedySearch(3), BeamSearch(2, max_length=3)):
        search = search.replace(constraints=["forced_prefix"])
        inference = InferenceModel(shaken(gru_model()), search)
        source = model_batch(inference.model)[0]["encoder_token_ids"]
        inputs = {
            "encoder_token_ids": tf.constant(source, "int32"),
            "prefix": tf.constant(prefix),
        }
        free = {n: tf.TensorSpec([None, None], "int32") for n in inputs}
        graph = tf.function(inference.call, input_signature=[free])
        found = graph(inputs)
        assert found["token_ids"].numpy()[:, 0].tolist() == expected
