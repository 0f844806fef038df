"""Every preset: built, trained a step, saved, loaded, searched, exported."""

import inspect

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s

# Widths that the papers give; see the docstring of each preset.
FROM_THE_PAPERS = {
    "sutskever_2014": {"units": 1000, "embedding_dim": 1000, "num_layers": 4},
    "cho_2014": {"units": 1000, "embedding_dim": 100},
    "bahdanau_2015": {"units": 1000, "embedding_dim": 620},
    "luong_2015": {"units": 1000, "embedding_dim": 1000, "num_layers": 4},
    "chorowski_2015": {"units": 256, "num_layers": 3, "filters": 10},
    "gnmt_2016": {"units": 1024, "num_layers": 8},
    "raffel_2017": {"units": 512, "num_layers": 2},
}
VARIANTS = {
    **{name: (f"{name}_small", {}) for name in FROM_THE_PAPERS},
    "luong_dot": ("luong_2015_small", {"score": "dot"}),
    "luong_concat_without_feeding": (
        "luong_2015_small",
        {"score": "concat", "input_feeding": False, "num_layers": 2},
    ),
}
PAIRS = [("abc", "A B C"), ("ab", "A B"), ("cab", "C A B"), ("c", "C")] * 4
TEXTS = ["abc", "", "c", "cabbage", "zz"]


def test_settings_of_the_papers():
    for name, settings in FROM_THE_PAPERS.items():
        parameters = inspect.signature(k2s.models.PRESETS[name]).parameters
        for argument, value in settings.items():
            assert parameters[argument].default == value


@pytest.fixture(scope="module", params=VARIANTS)
def task(request):
    """A task of the preset, after one epoch."""
    keras.utils.set_random_seed(0)
    preset, settings = VARIANTS[request.param]
    task = k2s.tasks.TextToText.from_corpus(
        PAIRS,
        preset,
        target_tokenizer="symbol",
        search=k2s.search.BeamSearch(num_beams=3, n_best=2, max_length=8),
        **{"units": 4, "embedding_dim": 3, **settings},
    )
    task.compile(keras.optimizers.Adam(0.01))
    history = task.fit(PAIRS, epochs=1, batch_size=16, verbose=0)
    assert np.isfinite(history.history["loss"]).all()
    return task


def test_save_load_search(task, tmp_path):
    found = task.generate(TEXTS, n_best=2, return_attention_scores=True)
    task.save(tmp_path / "task")
    loaded = k2s.tasks.load(tmp_path / "task")
    again = loaded.generate(TEXTS, n_best=2, return_attention_scores=True)
    for one, other in zip(found, again):
        assert [h.text for h in one] == [h.text for h in other]
        for a, b in zip(one, other):
            assert abs(a.score - b.score) < 1e-5
            np.testing.assert_allclose(
                a.attention_scores, b.attention_scores, atol=1e-5
            )


def test_score_is_the_score_of_the_search(task):
    for text, hypotheses in zip(TEXTS, task.generate(TEXTS, n_best=2)):
        for found in hypotheses:
            if len(found.tokens) < 8:  # ended, not cut
                (score,) = task.score([(text, found.text)])
                assert abs(score - found.score) < 1e-4


@pytest.mark.skipif(
    keras.backend.backend() != "tensorflow", reason="one export, one backend"
)
def test_export(task, tmp_path):
    import tensorflow as tf

    from keras_seq2seq.export import export_saved_model

    path = export_saved_model(task, tmp_path / "model")
    served = tf.saved_model.load(path).signatures["serving_default"](
        tf.constant(TEXTS)
    )
    found = task.generate(TEXTS, n_best=1)
    assert [t.decode() for t in served["text"].numpy()] == [
        h.text for (h,) in found
    ]
    np.testing.assert_allclose(
        served["score"].numpy(), [h.score for (h,) in found], atol=1e-5
    )
