"""Every preset: built, trained a step, saved, loaded, searched, exported."""

import inspect

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from tests.helpers.task_laws import check_scores
from tests.helpers.task_laws import check_served
from tests.helpers.task_laws import saved_and_loaded
from tests.helpers.tiny_presets import RECURRENT
from tests.helpers.tiny_presets import TINY

# Some texts are strange on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:At most 10% of the tokens")

# Settings that the papers give; see the docstring of each preset.
FROM_THE_PAPERS = {
    "sutskever_2014": {"units": 1000, "embedding_dim": 1000, "num_layers": 4},
    "cho_2014": {"units": 1000, "embedding_dim": 100},
    "bahdanau_2015": {"units": 1000, "embedding_dim": 620},
    "luong_2015": {"units": 1000, "embedding_dim": 1000, "num_layers": 4},
    "chorowski_2015": {"units": 256, "num_layers": 3, "filters": 10},
    "gnmt_2016": {"units": 1024, "num_layers": 8},
    "raffel_2017": {"units": 512, "num_layers": 2},
    "zaremba_sutskever_2014": {"units": 400, "num_layers": 2},
    "transformer_2017": {
        "hidden_dim": 512,
        "num_layers": 6,
        "num_heads": 8,
        "intermediate_dim": 2048,
        "dropout": 0.1,
    },
}
VARIANTS = {
    **{name: (name, settings) for name, settings in TINY.items()},
    "luong_dot": ("luong_2015_small", {**RECURRENT, "score": "dot"}),
    "luong_concat_without_feeding": (
        "luong_2015_small",
        {**RECURRENT, "score": "concat", "input_feeding": False},
    ),
}
PAIRS = [("abc", "A B C"), ("ab", "A B"), ("cab", "C A B"), ("c", "C")] * 4
TEXTS = ["abc", "", "c", "zz"]  # one bucket


def test_settings_of_the_papers():
    for name, settings in FROM_THE_PAPERS.items():
        parameters = inspect.signature(k2s.models.PRESETS[name]).parameters
        for argument, value in settings.items():
            assert parameters[argument].default == value


def test_no_preset_is_left_out():
    assert set(TINY) == {n for n in k2s.models.PRESETS if n.endswith("_small")}
    for name in TINY:  # the same function with other defaults
        assert name.removesuffix("_small") in k2s.models.PRESETS


@pytest.fixture(scope="module", params=VARIANTS)
def task(request, tmp_path_factory):
    """A task of the preset: trained one epoch, saved, and loaded again."""
    keras.utils.set_random_seed(0)
    preset, settings = VARIANTS[request.param]
    task = k2s.tasks.TextToText.from_corpus(
        PAIRS,
        preset,
        target_tokenizer="symbol",
        search=k2s.search.BeamSearch(num_beams=3, n_best=2, max_length=3),
        **settings,
    )
    task.compile(keras.optimizers.Adam(0.01))
    history = task.fit(PAIRS, epochs=1, batch_size=16, verbose=0)
    assert np.isfinite(history.history["loss"]).all()
    return saved_and_loaded(task, tmp_path_factory)


@pytest.fixture(scope="module")
def found(task):
    return task.generate(TEXTS, n_best=2)


def test_score_is_the_score_of_the_search(task, found):
    check_scores(task, TEXTS, found)


@pytest.mark.skipif(
    keras.backend.backend() != "tensorflow", reason="one export, one backend"
)
def test_export(task, found, tmp_path):
    check_served(task, TEXTS, found, tmp_path / "model")
