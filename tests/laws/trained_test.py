"""The laws again, on trained models: five beams, words of mixed lengths."""

import numpy as np
import pytest

import keras_seq2seq as k2s
from tests.fixtures import trained_task

# Some texts are strange on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:At most 10% of the tokens")

WORDS = ["a", "attention", "", "be", "neighbours", "zzz", "qu'il", "model"]


@pytest.fixture(scope="module", params=["bahdanau_2015", "luong_2015"])
def task(request):
    task = trained_task(request.param)
    task.search = k2s.search.BeamSearch(
        num_beams=5, n_best=5, max_length=20, length_penalty="wu"
    )
    return task


def test_laws(task):
    k2s.testing.run_model_test(task.model, policies=("mixed_bfloat16",))


def test_neighbours_and_padding_are_invisible(task):
    together = task.generate(WORDS, n_best=5)
    shuffled = task.generate(WORDS[::-1], n_best=5)[::-1]
    alone = [task.generate([word], n_best=5)[0] for word in WORDS]
    for other in (shuffled, alone):
        for found, expected in zip(other, together):
            assert [h.text for h in found] == [h.text for h in expected]
            np.testing.assert_allclose(
                [h.score for h in found],
                [h.score for h in expected],
                atol=1e-5,
            )


def test_hypotheses_are_distinct_sorted_and_scored(task):
    """The score is the forced log-probability over `wu`, worked out here."""
    for word, found in zip(WORDS, task.generate(WORDS, n_best=5)):
        assert len({tuple(h.tokens) for h in found}) == len(found)
        scores = [h.score for h in found]
        assert scores == sorted(scores, reverse=True)
        ended = [h for h in found if len(h.tokens) < 20]
        forced = task.score([(word, h.text) for h in ended])
        lengths = np.array([len(h.tokens) + 1 for h in ended])
        np.testing.assert_allclose(
            [h.score for h in ended],
            np.array(forced) / ((5 + lengths) / 6) ** 0.6,
            atol=1e-5,
        )
