"""What may not stop has no answer, served as in Python."""

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.export import export_saved_model

tf = pytest.importorskip("tensorflow")
if keras.backend.backend() != "tensorflow":
    pytest.skip("exports under TensorFlow", allow_module_level=True)


def test_what_may_not_stop(tmp_path):
    ratio = k2s.search.constraints.LengthRatio(1.0)
    sizes = {"max_length": 3}
    searches = {
        "greedy": k2s.search.GreedySearch(constraints=[ratio], **sizes),
        "sample": k2s.search.Sampling(constraints=[ratio], **sizes),
        "prefixed": k2s.search.GreedySearch(
            constraints=["forced_prefix"], **sizes
        ),
    }
    task = k2s.tasks.TextToText.from_corpus(
        [("abc", "c b a"), ("ba", "a b")],
        "luong_2015",
        target_tokenizer="symbol",
        search=k2s.search.BeamSearch(3, n_best=2, constraints=[ratio], **sizes),
        units=4,
        embedding_dim=3,
    )
    path = export_saved_model(
        task, tmp_path, signatures=["n_best"], searches=searches
    )
    signatures = tf.saved_model.load(path).signatures
    texts = ["ab", "abca", "", "abc"]  # the second wants 4 tokens at least
    asked = {"seed": np.arange(4, dtype="int32")}
    for name, search, inputs in (
        ("n_best", task.search, {}),
        ("greedy", searches["greedy"], {}),
        ("sample", searches["sample"], asked),
    ):
        found = signatures[name](text=tf.constant(texts), **inputs)
        options = {"seed": [0, 1, 2, 3]} if inputs else {}
        expected = task.generate(
            texts, search=search, n_best=search.n_best, **options
        )
        scores = found["scores" if name == "n_best" else "score"].numpy()
        scores = scores.reshape(4, search.n_best)
        best = [row[0].score for row in expected]
        np.testing.assert_allclose(scores[:, 0], best, rtol=1e-5)
        assert (scores == -1e9).all(axis=1).tolist() == [0, 1, 0, 0]
        assert [h.text for h in expected[1]] == [""]

    prefixes = ["a b c", "a b c a", "a b c a b c", "a"]
    found = signatures["prefixed"](
        text=tf.constant(texts), prefix=tf.constant(prefixes)
    )
    assert found["text"].numpy()[:3].tolist() == [b"a b c", b"", b""]
    assert (found["score"].numpy() == -1e9).tolist() == [0, 1, 1, 0]
    best = task.generate(
        texts[3:], search=searches["prefixed"], prefixes=prefixes[3:]
    )
    assert [x.decode() for x in found["text"].numpy()[3:]] == best
