"""The served answers are those of Python, for whatever text."""

import hashlib
import json
import shutil

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.export import export_saved_model
from keras_seq2seq.export.description import hash_weights
from tests.helpers.export.comparing import assert_row_equal
from tests.helpers.export.comparing import joined
from tests.helpers.export.comparing import read_description
from tests.helpers.export.processes import standalone_answers

if keras.backend.backend() != "tensorflow":
    pytest.skip("exports under TensorFlow", allow_module_level=True)

# Some texts are strange on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:At most 10% of the tokens")

ODD = [
    "",
    " ",
    "ZEBRA",
    "naïve",
    "日本",
    "\0",
    "a\tb",
    "it's",
    "[end] [pad]",
    "x" * 40,
]


@pytest.fixture(scope="module")
def words():
    return k2s.data.cmudict().test.sources[:1000]


@pytest.fixture(scope="module")
def expected(task, words):
    best = [found[0] for found in task.generate(words, n_best=1, verbose=False)]
    return [h.text for h in best], [h.score for h in best]


@pytest.mark.parametrize("size", [1, 64])
def test_serving_equals_python(serve, words, expected, size):
    found = joined(
        [
            serve("serving_default", words[first : first + size])
            for first in range(0, len(words), size)
        ]
    )
    assert [text.decode() for text in found["text"]] == expected[0]
    np.testing.assert_allclose(found["score"], expected[1], atol=1e-5)


def test_n_best_equals_python(task, serve, words):
    texts = [*words[:20], *ODD]
    found = serve("n_best", texts)
    expected = task.generate(texts, n_best=5, return_attention_scores=True)
    assert found["texts"].shape == (30, 5)
    for row, hypotheses in enumerate(expected):
        for place, hypothesis in enumerate(hypotheses):
            assert found["texts"][row, place].decode() == hypothesis.text
            np.testing.assert_allclose(
                found["scores"][row, place], hypothesis.score, atol=1e-5
            )
            tokens, source = hypothesis.attention_scores.shape
            assert found["source_lengths"][row] == source
            attention = found["attention_scores"][row, place]
            np.testing.assert_allclose(
                attention[:tokens, :source],
                hypothesis.attention_scores,
                atol=1e-5,
            )
            assert found["lengths"][row, place] == tokens + 1
            assert not attention[tokens + 1 :].any()
            assert not attention[:, source:].any()
    assert found["attention_scores"].shape[2] == found["lengths"].max()
    assert found["attention_scores"].shape[3] == 40


@pytest.mark.parametrize("signature", ["serving_default", "n_best"])
def test_a_row_does_not_depend_on_its_neighbours(serve, words, signature):
    texts = [*words[:5], *ODD, "y" * 100]
    together = serve(signature, texts)
    reverse = serve(signature, texts[::-1])
    repeated = serve(signature, texts + texts[-1:] * 3)
    for row, text in enumerate(texts):
        alone = serve(signature, [text])
        assert_row_equal(alone, together, row)
        assert_row_equal(alone, reverse, len(texts) - 1 - row)
        assert_row_equal(alone, repeated, row)


def test_every_text_has_a_finite_answer(serve):
    texts = [*(text.encode() for text in ODD), b"\xff\xfe", b"\xc3", b"a" * 99]
    for signature in ("serving_default", "n_best"):
        for name, value in serve(signature, texts).items():
            assert len(value) == len(texts)
            if value.dtype == object:
                for text in value.ravel():
                    text.decode()
            else:
                assert np.isfinite(value).all(), name


def test_invalid_bytes_read_as_the_replacement_character(task, serve):
    found = serve("serving_default", [b"ab\xff", b"\xc3a"])
    expected = task.generate(["ab\ufffd", "\ufffda"])
    assert [text.decode() for text in found["text"]] == expected


def test_long_texts_are_cut(serve):
    found = serve("serving_default", ["ab" * 5000, "ab" * 256, "a"])
    assert found["text"][0] == found["text"][1]
    np.testing.assert_allclose(found["score"][0], found["score"][1], atol=1e-5)
    found = serve("n_best", ["ab" * 5000, "b"])
    np.testing.assert_array_equal(found["source_lengths"], [512, 1])
    assert found["attention_scores"].shape[3] == 512


def test_no_text_at_all(serve):
    shapes = {name: x.shape for name, x in serve("n_best", []).items()}
    assert shapes.pop("attention_scores")[:2] == (0, 5)
    assert set(shapes.values()) == {(0, 5), (0,)}
    assert serve("serving_default", [])["text"].shape == (0,)


def test_tensorflow_alone_serves_a_moved_folder(
    exported, serve, words, tmp_path
):
    shutil.copytree(exported, tmp_path / "elsewhere" / "7")
    texts = [*words[:5], *ODD]
    best, several = standalone_answers(
        tmp_path / "elsewhere" / "7",
        [("serving_default", texts), ("n_best", texts)],
    )
    expected = serve("serving_default", texts)
    assert best["text"] == [text.decode() for text in expected["text"]]
    np.testing.assert_allclose(best["score"], expected["score"], atol=1e-6)
    expected = serve("n_best", texts)
    assert several["texts"] == [t.decode() for t in expected["texts"].ravel()]


def test_description(task, exported):
    found = read_description(exported)
    assert found["max_source_length"] == 512
    assert found["search"]["config"]["n_best"] == 5
    weights = found["weights"]
    assert weights["sha256"] == hash_weights(task.model)
    assert weights["source"] == "fixture"
    assert weights["saved_by"]["backend"] in ("tensorflow", "jax", "torch")
    tokens = json.dumps(list(task.source_tokenizer.vocabulary.tokens))
    digest = hashlib.sha256(tokens.encode()).hexdigest()
    assert found["source_tokenizer"]["vocabulary_sha256"] == digest
    searches = {n: x["search"] for n, x in found["signatures"].items()}
    assert searches["greedy"]["class_name"] == "GreedySearch"
    assert searches["sample"]["class_name"] == "Sampling"
    outputs = found["signatures"]["n_best"]["outputs"]
    assert outputs["texts"]["shape"] == [None, 5]
    model = type(task.model).from_config(found["model"]["config"])
    assert model.count_params() == found["weights"]["count"]


def small_task(search, source="character", target="character"):
    return k2s.tasks.TextToText.from_corpus(
        [("abc", "c b a"), ("ba", "a b")],
        "luong_2015",
        source_tokenizer=source,
        target_tokenizer=target,
        search=search,
        units=4,
        embedding_dim=3,
    )


def test_greedy_search_and_next_version(tmp_path):
    tf = pytest.importorskip("tensorflow")
    (tmp_path / "4").mkdir()
    (tmp_path / "notes").mkdir()
    task = small_task(k2s.search.GreedySearch(max_length=7), target="symbol")
    path = export_saved_model(
        task, tmp_path, max_source_length=3, signatures=["n_best"]
    )
    assert path == str(tmp_path / "5")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["4", "5", "notes"]
    signatures = tf.saved_model.load(path).signatures
    assert set(signatures) == {"serving_default", "n_best"}
    texts = ["abc", "", "cab"]
    assert read_description(path)["preset"] == "luong_2015"
    best = signatures["serving_default"](tf.constant(texts))
    expected = task.generate(texts)
    assert [t.decode() for t in best["text"].numpy()] == expected
    found = signatures["n_best"](tf.constant(texts))
    assert found["texts"].shape == (3, 1)
    found = signatures["n_best"](tf.constant(["abcabc"]))
    np.testing.assert_array_equal(found["source_lengths"], [3])


class FailingTokenizer(k2s.text.CharacterTokenizer):
    def graph(self, asset_folder):
        raise KeyError("no graph")


def test_a_failed_export_leaves_everything_as_it_was(tmp_path):
    task = small_task("greedy")
    task.target_tokenizer = FailingTokenizer(task.target_tokenizer.vocabulary)
    with pytest.raises(KeyError, match="no graph"):
        export_saved_model(task, tmp_path / "new" / "model")
    assert not list(tmp_path.iterdir())
    (tmp_path / "1").mkdir()
    with pytest.raises(KeyError, match="no graph"):
        export_saved_model(task, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["1"]


def test_errors(tmp_path):
    task = small_task("greedy")
    (tmp_path / "file").write_text("mine")
    for folder in (tmp_path / "file", tmp_path / "file" / "model"):
        with pytest.raises(OSError, match="file is a file"):
            export_saved_model(task, folder)
    assert (tmp_path / "file").read_text() == "mine"
    with pytest.raises(ValueError, match="`n_best`.*GreedySearch"):
        export_saved_model(task, tmp_path / "new", n_best=2)
    with pytest.raises(ValueError, match="`n_best`.*num_beams"):
        beams = small_task(k2s.search.BeamSearch(num_beams=2))
        export_saved_model(beams, tmp_path / "new", n_best=3)
    with pytest.raises(ValueError, match="`max_source_length`"):
        export_saved_model(task, tmp_path / "new", max_source_length=0)
    with pytest.raises(ValueError, match="`signatures` must be one of"):
        export_saved_model(task, tmp_path / "new", signatures=["scores"])
    assert not (tmp_path / "new").exists()


def test_a_folder_that_cannot_be_written(tmp_path, monkeypatch):
    monkeypatch.setattr("os.access", lambda *args: False)
    with pytest.raises(OSError, match="cannot be written to"):
        export_saved_model(small_task("greedy"), tmp_path)


def test_another_backend_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(keras.backend, "backend", lambda: "jax")
    with pytest.raises(RuntimeError, match="TensorFlow backend.*backend='jax'"):
        export_saved_model(small_task("greedy"), tmp_path)
