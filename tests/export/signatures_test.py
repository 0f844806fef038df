"""Each signature's answers are those of Python, for whatever input."""

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.export import export_saved_model
from keras_seq2seq.export.searches import resolve_searches
from tests.helpers.export.comparing import assert_row_equal
from tests.helpers.export.comparing import read_description

tf = pytest.importorskip("tensorflow")
if keras.backend.backend() != "tensorflow":
    pytest.skip("exports under TensorFlow", allow_module_level=True)

# Some texts are strange on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:At most 10% of the tokens")

TEXTS = ["keras", "", "attention", "ZZ??", "naïve", "x" * 50]
PAIRS = [("keras", "K EH R AH S"), ("keras", ""), ("", "K"), ("a", "? AH")]


def strings(values):
    return np.array(values, object)


def texts_of(values):
    return [value.decode() for value in values.ravel()]


def test_score(task, serve):
    sources, targets = map(strings, zip(*PAIRS))
    found = serve("score", source=sources, target=targets)
    expected = task.score(PAIRS, per_token=True)
    np.testing.assert_array_equal(found["target_lengths"], [6, 1, 2, 3])
    for row, log_probs in enumerate(expected):
        cut = found["token_log_probs"][row, : len(log_probs)]
        np.testing.assert_allclose(cut, log_probs, atol=1e-5)
        assert not found["token_log_probs"][row, len(log_probs) :].any()
    np.testing.assert_allclose(
        found["log_prob"], [x.sum() for x in expected], atol=1e-5
    )


def test_a_target_is_cut_where_a_hypothesis_is(task, serve):
    longest = task.search.max_length
    target = strings([" ".join(["K"] * 3 * longest)])
    found = serve("score", source=strings(["keras"]), target=target)
    assert found["target_lengths"] == longest
    (expected,) = task.score([("keras", target[0])], per_token=True)
    np.testing.assert_allclose(
        found["token_log_probs"][0], expected[:longest], atol=1e-4
    )


def test_sample(task, serve):
    seeds = [3, -5, 2**31 - 1, 0, 1, 2]
    found = serve("sample", TEXTS, seed=np.array(seeds, "int32"))
    search = k2s.search.Sampling(max_length=task.search.max_length)
    expected = task.generate(TEXTS, search=search, seed=seeds, n_best=1)
    assert texts_of(found["text"]) == [row[0].text for row in expected]
    scores = [row[0].score for row in expected]
    np.testing.assert_allclose(found["score"], scores, rtol=1e-5)


def test_searches_side_by_side(task, serve):
    search = k2s.search.GreedySearch(max_length=30)
    found = serve("greedy", TEXTS)
    assert texts_of(found["text"]) == task.generate(TEXTS, search=search)
    prefixes = ["K", "", "AH T", "Z", "", ""]
    found = serve("prefixed", TEXTS, prefix=strings(prefixes))
    expected = task.generate(TEXTS, search=search, prefixes=prefixes)
    assert texts_of(found["text"]) == expected


def token_ids(task, texts, width=None):
    rows = [task.source_tokenizer.encode(text) for text in texts]
    lengths = np.array([len(row) for row in rows], "int32")
    ids = np.zeros((len(rows), width or max(lengths)), "int32")
    for row, values in zip(ids, rows):
        row[: len(values)] = values
    return {"token_ids": ids, "lengths": lengths}


def test_token_ids(task, serve):
    found = serve("token_ids", **token_ids(task, TEXTS))
    expected = serve("n_best", TEXTS)
    np.testing.assert_array_equal(found["lengths"], expected["lengths"])
    np.testing.assert_allclose(found["scores"], expected["scores"], atol=1e-5)
    assert found["token_ids"].shape == (6, 5, task.search.max_length)
    decode = task.target_tokenizer.decode
    answers = [decode(ids) for ids in found["token_ids"].reshape(30, -1)]
    assert answers == texts_of(expected["texts"])


def test_what_stands_beyond_the_lengths_is_never_read(task, serve):
    inputs = token_ids(task, TEXTS, width=60)
    ids = inputs["token_ids"]
    for filled in (5, -1, 99_999):
        beyond = np.arange(60) >= inputs["lengths"][:, None]
        inputs["token_ids"] = np.where(beyond, filled, ids).astype("int32")
        for row, text in enumerate(TEXTS):
            alone = serve("token_ids", **token_ids(task, [text], width=51))
            assert_row_equal(alone, serve("token_ids", **inputs), row)


@pytest.mark.parametrize("lengths", [[0], [-3], [7], [2**31 - 1]])
def test_odd_lengths(serve, lengths):
    for width in (0, 1, 3):
        found = serve(
            "token_ids",
            token_ids=np.full((1, width), 5, "int32"),
            lengths=np.array(lengths, "int32"),
        )
        assert np.isfinite(found["scores"]).all()


def test_ids_outside_the_vocabulary_read_as_unknown(serve, task):
    """They change no neighbour's answer, nor a merged request's."""
    unknown = task.source_tokenizer.vocabulary.unknown_token_id
    lengths, odd = np.array([2, 2, 2, 2], "int32"), [-1, 99_999, -(2**31)]
    inputs = np.array([[5, i] for i in (6, *odd)], "int32")
    found = serve("token_ids", token_ids=inputs, lengths=lengths)
    inputs = np.array([[5, i] for i in (6, *[unknown] * 3)], "int32")
    expected = serve("token_ids", token_ids=inputs, lengths=lengths)
    for name in expected:
        np.testing.assert_array_equal(found[name], expected[name])


def odd_requests():
    odd = [b"", b"\xff\xfe", b"\xc3", b"\0", "日本".encode(), b"a" * 10_000]
    text = strings(odd)
    seeds = np.arange(len(odd), dtype="int32")
    yield "serving_default", {"text": text}
    yield "n_best", {"text": text}
    yield "greedy", {"text": text}
    yield "sample", {"text": text, "seed": seeds}
    yield "prefixed", {"text": text, "prefix": text[::-1]}
    yield "score", {"source": text, "target": text[::-1]}


@pytest.mark.parametrize(
    "signature, inputs", list(odd_requests()), ids=lambda x: str(x)[:10]
)
def test_odd_texts_have_finite_answers(serve, signature, inputs):
    found = serve(signature, **inputs)
    for name, value in found.items():
        assert len(value) == 6
        if value.dtype == object:
            texts_of(value)  # valid UTF-8
        else:
            assert np.isfinite(value).all(), name
    nothing = serve(signature, **{name: x[:0] for name, x in inputs.items()})
    assert nothing.keys() == found.keys()
    assert {len(x) for x in nothing.values()} == {0}


def test_names_of_searches():
    assert resolve_searches(None) == {}
    (search,) = resolve_searches({"fast": "greedy"}).values()
    assert isinstance(search, k2s.search.GreedySearch)
    for name in ("score", "n_best", "Fast", "1", "a-b", "", 3):
        with pytest.raises(ValueError, match="The names of `searches`"):
            resolve_searches({name: "greedy"})
    with pytest.raises(TypeError, match="must be a dict"):
        resolve_searches(["greedy"])


def test_a_language_model(tmp_path):
    texts = ["ab", "abc", "b"]
    task = k2s.tasks.TextCompletion.from_texts(
        texts,
        "zaremba_2014",
        units=4,
        embedding_dim=3,
        search=k2s.search.Sampling(max_length=6),
    )
    path = export_saved_model(
        task, tmp_path, max_source_length=9, signatures=["score"]
    )
    signatures = tf.saved_model.load(path).signatures
    seeds = tf.constant([1, 2, 3])
    found = signatures["serving_default"](text=tf.constant(texts), seed=seeds)
    expected = task.generate(texts, seed=[1, 2, 3])
    assert texts_of(found["text"].numpy()) == expected
    pairs = [("", "abc"), ("ab", "c"), ("", "")]
    sources, targets = map(tf.constant, zip(*pairs))
    found = signatures["score"](source=sources, target=targets)
    np.testing.assert_allclose(found["log_prob"], task.score(pairs), atol=1e-5)


def test_sources_longer_than_the_model_can_read(tmp_path):
    task = k2s.tasks.TextCompletion.from_texts(
        ["ab"],
        "radford_2018",
        hidden_dim=4,
        num_layers=1,
        num_heads=1,
        intermediate_dim=4,
        max_length=20,
        search=k2s.search.GreedySearch(max_length=6),
    )
    with pytest.raises(ValueError, match="max_length=20"):
        export_saved_model(task, tmp_path / "model", max_source_length=15)
    assert not (tmp_path / "model").exists()
    path = export_saved_model(task, tmp_path / "model", signatures=[])
    # 20 positions: the start token, 14 of the source, 5 of the answer, whose
    # last token is never read.
    assert read_description(path)["max_source_length"] == 14


@pytest.mark.parametrize("preset", ["luong_2015", "sutskever_2014"])
def test_unknown_tokens_become_source_tokens(tmp_path, preset):
    """Under an output layer that says little else."""
    search = k2s.search.BeamSearch(2, max_length=5, n_best=2)
    task = k2s.tasks.TextToText.from_corpus(
        [("abc", "c b a"), ("ba", "a b")],
        preset,
        target_tokenizer="symbol",
        search=search,
        units=4,
        embedding_dim=3,
    )
    weights, bias = task.model.output_layer.get_weights()
    bias[task.target_tokenizer.vocabulary.unknown_token_id] = 2.0
    task.model.output_layer.set_weights([weights, bias])
    path = export_saved_model(
        task, tmp_path, signatures=["n_best"], replace_unknown=True
    )
    signatures = tf.saved_model.load(path).signatures
    texts = ["ab", "", "É?", "\xa0 c", "Ab" * 9]
    found = signatures["n_best"](tf.constant(texts))["texts"].numpy()
    plain = task.generate(texts, n_best=2)
    expected = task.generate(texts, n_best=2, replace_unknown=True)
    if preset == "sutskever_2014":  # no attention: nothing to copy
        for row, other in zip(expected, plain):
            assert [h.text for h in row] == [h.text for h in other]
        assert "[unknown]" in expected[0][0].text
    else:
        copied = {token for h in expected[2] for token in h.tokens}
        assert "É" in copied and "é" not in copied  # as it was written
        assert [h.tokens for h in plain[2]] != [h.tokens for h in expected[2]]
    assert texts_of(found) == [h.text for row in expected for h in row]
    best = signatures["serving_default"](tf.constant(texts))["text"].numpy()
    assert texts_of(best) == [row[0].text for row in expected]


def test_attention_by_layer_and_head(tmp_path):
    pytest.importorskip("matplotlib")
    task = k2s.tasks.TextToText.from_corpus(
        [("abc", "cba"), ("ba", "ab")],
        "transformer_2017_small",
        search=k2s.search.BeamSearch(3, max_length=4, n_best=2),
        hidden_dim=4,
        num_layers=2,
        num_heads=2,
        intermediate_dim=6,
    )
    path = export_saved_model(task, tmp_path, signatures=["attention"])
    signature = tf.saved_model.load(path).signatures["attention"]
    texts = ["ab", "", "cab"]
    served = {n: x.numpy() for n, x in signature(tf.constant(texts)).items()}
    found = task.generate(texts, n_best=2, return_attention_scores="by_layer")
    assert served["attention_scores"].shape[2:4] == (2, 2)
    for row, hypotheses in enumerate(found):
        for place, best in enumerate(hypotheses):
            cut = {}
            for kind, layers in best.attention_scores.items():
                _, rows, columns = layers["block_0"].shape
                prefix = "" if kind == "memory" else f"{kind}_"
                scores = served[f"{prefix}attention_scores"][row]
                scores = scores if kind == "encoder" else scores[place]
                cut[kind] = dict(zip(layers, scores[..., :rows, :columns]))
                for layer, expected in layers.items():
                    np.testing.assert_allclose(
                        cut[kind][layer], expected, atol=1e-5
                    )
                if kind == "encoder":
                    assert not scores[..., rows:, :].any()
                    assert not scores[..., columns:].any()
    figure = k2s.plots.attention_by_head(
        list(texts[-1]), ["?"] * rows, cut["memory"]
    )
    titles = [axes.get_title() for axes in figure.axes[:4]]
    assert titles == [f"block_{b}, head {h}" for b in (0, 1) for h in (1, 2)]
