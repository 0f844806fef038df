import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search.penalties import SummaryCoverage
from keras_seq2seq.search.penalties import WuCoverage
from keras_seq2seq.testing import FakeLanguage
from keras_seq2seq.testing import assert_same_hypotheses
from keras_seq2seq.testing import run_serialization_test
from keras_seq2seq.testing.checks import to_numpy
from tests.helpers.brute_force import all_hypotheses
from tests.helpers.brute_force import best_of

SPECIAL = {"start_token_id": 1, "end_token_id": 2, "pad_token_id": 0}
ROWS, LENGTH, PREFIXES = 20, 4, 15
LANGUAGE = FakeLanguage(5)
STATES = LANGUAGE.first_states(ROWS)
MASK = np.arange(4) < 1 + np.arange(ROWS)[:, None] % 4


@pytest.mark.parametrize(
    "coverage, expected",
    [
        # log(0.5 * 1 * 0.1) and log(1e-6); a place after the mask is none
        (WuCoverage(2.0), [2 * np.log(0.05), 2 * np.log(1e-6)]),
        (SummaryCoverage(2.0), [-3.0, 0.0]),
    ],
)
def test_by_hand(coverage, expected):
    attended = ops.array([[0.5, 2.5, 0.1, 3.0], [0.0, 1.0, 5.0, 5.0]])
    mask = ops.array([[True, True, True, False], [True, True, False, False]])
    found = ops.convert_to_numpy(coverage(attended, mask))
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    run_serialization_test(coverage)


def attention_of(log_probs, mask):
    """Any function of the prefix: of the logits of the first four tokens."""
    weights = ops.exp(log_probs[:, :4]) * ops.cast(mask, "float32")
    return weights / ops.sum(weights, axis=1, keepdims=True)


def step(token_ids, states, cache, index):
    states, mask = states["language"], states["mask"]
    logits, new, *_ = LANGUAGE.step(token_ids, states, (), index)
    log_probs = ops.log_softmax(logits, axis=-1)
    scores = attention_of(log_probs, mask)
    return logits, {"language": new, "mask": mask}, cache, scores


def enumerated(penalty, length_penalty):
    """`all_hypotheses` with the coverage in the score."""
    finished = all_hypotheses(LANGUAGE, STATES, (3, 4), LENGTH)
    scored = [{} for _ in range(ROWS)]
    for tokens in finished[0]:
        attended = 0.0
        for place in range(len(tokens)):
            prefix = np.tile([[[1, *tokens[:place]]]], (ROWS, 1, 1))
            weights = np.exp(LANGUAGE.log_probs(STATES, prefix)[:, 0, :4])
            weights = weights * MASK
            attended = attended + weights / weights.sum(1, keepdims=True)
        extra = {
            "wu": 0.2 * (np.log(np.clip(attended, 1e-6, 1)) * MASK).sum(1),
            "summary": -0.2 * np.maximum(attended - 1, 0).sum(1),
        }[penalty]
        for row in range(ROWS):
            scale = len(tokens) if length_penalty == "avg" else 1
            scored[row][tokens] = finished[row][tokens] / scale + extra[row]
    return scored


@pytest.mark.parametrize("penalty", ["wu", "summary"])
@pytest.mark.parametrize("length_penalty", ["none", "avg"])
def test_against_enumeration(penalty, length_penalty):
    states = {"language": STATES, "mask": ops.array(MASK, "float32")}
    every = enumerated(penalty, length_penalty)
    for n_best in (1, PREFIXES):
        search = BeamSearch(
            PREFIXES,
            max_length=LENGTH,
            length_penalty=length_penalty,
            coverage_penalty=penalty,
            n_best=n_best,
        )
        assert search.needs_attention
        assert search.input_names == ("memory_mask",)
        found = search(step, states, inputs={"memory_mask": MASK}, **SPECIAL)
        expected = best_of(every, LENGTH, n_best)
        assert_same_hypotheses(to_numpy(found), expected)


def test_padding_is_invisible():
    search = BeamSearch(3, max_length=4, coverage_penalty="wu", n_best=3)
    found = []
    for mask in (MASK, np.pad(MASK, ((0, 0), (0, 3)))):
        wide = ops.array(mask, "float32")

        def padded(token_ids, states, cache, index):
            logits, new, _, scores = step(token_ids, states, cache, index)
            after = mask.shape[1] - 4
            return logits, new, cache, ops.pad(scores, ((0, 0), (0, after)))

        states = {"language": STATES, "mask": wide[:, :4]}
        found.append(
            search(padded, states, inputs={"memory_mask": mask}, **SPECIAL)
        )
    assert_same_hypotheses(*map(to_numpy, found))


def test_errors():
    search = BeamSearch(3, coverage_penalty="wu")
    with pytest.raises(ValueError, match="attention scores.*fourth result"):
        inputs = {"memory_mask": np.ones((ROWS, 3), "bool")}
        search(LANGUAGE.step, STATES, inputs=inputs, **SPECIAL)
    with pytest.raises(ValueError, match="`beta`.*beta=-0.1"):
        WuCoverage(-0.1)
    config = keras.saving.serialize_keras_object(search)
    again = keras.saving.deserialize_keras_object(config)
    assert again.coverage_penalty.beta == 0.2
