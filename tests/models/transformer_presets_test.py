"""The presets of the Transformer: built, trained, saved, searched, exported."""

import inspect

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s

# Table 3 of the paper, "base".
BASE = {
    "hidden_dim": 512,
    "num_layers": 6,
    "num_heads": 8,
    "intermediate_dim": 2048,
    "dropout": 0.1,
}
TINY = {
    "hidden_dim": 4,
    "num_layers": 2,
    "num_heads": 2,
    "intermediate_dim": 6,
}
PAIRS = [("abc", "A B C"), ("ab", "A B"), ("cab", "C A B"), ("c", "C")] * 4
TEXTS = ["abc", "", "c", "cabbage", "zz"]


def test_settings_of_the_paper():
    parameters = inspect.signature(
        k2s.models.PRESETS["transformer_2017"]
    ).parameters
    for argument, value in BASE.items():
        assert parameters[argument].default == value


@pytest.fixture(
    scope="module",
    params=[
        "transformer_2017",
        "transformer_2017_small",
        "liu_2018",
        "liu_2018_small",
    ],
)
def task(request):
    """A task of the preset, after one epoch."""
    keras.utils.set_random_seed(0)
    task = k2s.tasks.TextToText.from_corpus(
        PAIRS,
        request.param,
        target_tokenizer="symbol",
        search=k2s.search.BeamSearch(num_beams=3, n_best=2, max_length=8),
        **TINY,
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
    served = tf.saved_model.load(path).signatures["n_best"](tf.constant(TEXTS))
    found = task.generate(TEXTS, n_best=2, return_attention_scores=True)
    for row, hypotheses in enumerate(found):
        for place, h in enumerate(hypotheses):
            assert served["texts"].numpy()[row, place].decode() == h.text
            score = served["scores"].numpy()[row, place]
            assert abs(score - h.score) < 1e-5
            target, source = h.attention_scores.shape
            np.testing.assert_allclose(
                served["attention_scores"][row, place, :target, :source],
                h.attention_scores,
                atol=1e-5,
            )
