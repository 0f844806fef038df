import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.tasks import TextCompletion

pytestmark = pytest.mark.eager

TEXTS = ["abcd", "abd", "acd", "bcd", "cd"] * 3
SETTINGS = {
    "zaremba_2014": {"units": 4, "embedding_dim": 3, "dropout": 0.1},
    "radford_2018": {
        "hidden_dim": 4,
        "num_layers": 2,
        "num_heads": 2,
        "intermediate_dim": 6,
        "max_length": 40,
    },
}


@pytest.fixture(scope="module", params=SETTINGS)
def task(request):
    keras.utils.set_random_seed(0)
    task = TextCompletion.from_texts(
        TEXTS,
        request.param,
        search=k2s.search.BeamSearch(3, max_length=8, n_best=2),
        **SETTINGS[request.param],
    )
    task.compile(keras.optimizers.Adam(0.01))
    history = task.fit(
        TEXTS, validation_data=TEXTS[:3], epochs=2, batch_size=15, verbose=0
    )
    assert np.isfinite(history.history["val_loss"]).all()
    return task


def vocabulary_ids(task, text):
    return [task.tokenizer.vocabulary.token_to_id(token) for token in text]


def test_the_next_token_is_that_of_a_search():
    """Not even where the model would have padding or a start token."""
    keras.utils.set_random_seed(0)
    task = TextCompletion.from_texts(
        TEXTS, "zaremba_2014", **SETTINGS["zaremba_2014"]
    )
    bias = task.model.output_layer.bias
    bias.assign([9, 8, 0, 0, 0, 2, 0, 0])  # pad, start, .., "c"
    assert task.tokenizer.vocabulary.id_to_token(5) == "c"
    greedy = k2s.search.GreedySearch(max_length=3)
    ((best,),) = task.generate(["ab"], search=greedy, n_best=1)
    (((token, _),),) = task.next_tokens(["ab"], k=1)
    assert token == best.tokens[0] == "c"


def test_probabilities_of_the_next_token(task):
    (after,) = task.next_tokens(["ab"], k=99)
    values = [p for _, p in after]
    assert values == sorted(values, reverse=True)
    vocabulary = task.tokenizer.vocabulary
    logits = task.model.predict_on_batch(
        {
            "encoder_token_ids": np.array([vocabulary_ids(task, "ab")]),
            "decoder_token_ids": np.array([[vocabulary.start_token_id]]),
        }
    )
    weights = np.exp(np.array(logits, "float64")[0, 0])
    expected = weights / weights.sum()
    names = [vocabulary.id_to_token(i) for i in range(len(vocabulary))]
    assert {name for name, _ in after} == {*names} - {"[pad]", "[start]"}
    for name, probability in after:
        np.testing.assert_allclose(
            probability, expected[names.index(name)], atol=1e-6
        )
    # P(c | ab) P(end | abc), against the score of the rest.
    first, (ended,) = dict(after)["c"], task.next_tokens(["abc"], k=99)
    end = task.tokenizer.vocabulary.id_to_token(
        task.tokenizer.vocabulary.end_token_id
    )
    (score,) = task.score([("ab", "c")])
    np.testing.assert_allclose(
        score, np.log(first) + np.log(dict(ended)[end]), atol=1e-5
    )


def test_a_text_is_its_beginning_and_its_rest(task):
    """log P(abc) = log P(a) + log P(b | a) + .., by the chain rule."""
    (whole,) = task.score([("", "abc")])
    total, (rest,) = 0.0, task.score([("ab", "c")])
    for beginning, token in (("", "a"), ("a", "b")):
        (after,) = task.next_tokens([beginning], k=99)
        total += np.log(dict(after)[token])
    np.testing.assert_allclose(whole, total + rest, atol=1e-5)


def test_perplexity(task):
    texts = ["abcd", "", "cd"]
    total = sum(task.score([("", text) for text in texts]))
    expected = np.exp(-total / (5 + 1 + 3))
    np.testing.assert_allclose(task.perplexity(texts), expected, rtol=1e-5)
    found = {"perplexity": task.perplexity(texts)}
    assert task.evaluate(texts) == found
    assert task.evaluate(texts, metrics=["perplexity"]) == found
    assert task.evaluate(texts, metrics=None) == found
    with pytest.raises(ValueError, match=r"Received: metrics=\['wer'\]"):
        task.evaluate(texts, metrics=["wer"])
    with pytest.raises(ValueError, match="Received: metrics=5"):
        task.evaluate(texts, metrics=5)
    corpus = k2s.data.ParallelCorpus.from_pairs([("a", "b")])
    with pytest.raises(TypeError, match="a list of strings.*`ParallelCorpus`"):
        task.evaluate(corpus)


def test_perplexity_beyond_all_floats(task, monkeypatch):
    for nats, expected in ((709.0, np.exp(709.0)), (710.0, np.inf)):
        rows = [np.full(3, -nats)]  # two tokens and the end
        monkeypatch.setattr(task, "score", lambda *_, **__: rows)
        found = task.perplexity(["ab"])
        np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.filterwarnings("ignore:At most 10% of the tokens")
def test_completions_and_their_scores(task):
    beginnings = ["ab", "", "zz", "abcdabcd"]
    for beginning, found in zip(
        beginnings, task.generate(beginnings, n_best=2)
    ):
        for hypothesis in found:
            if len(hypothesis.tokens) < 8:
                (score,) = task.score([(beginning, hypothesis.text)])
                assert abs(score - hypothesis.score) < 1e-4


def test_save_and_load(task, tmp_path):
    task.save(tmp_path / "task")
    loaded = k2s.tasks.load(tmp_path / "task")
    assert type(loaded) is TextCompletion
    assert loaded.generate(["ab", ""]) == task.generate(["ab", ""])
    np.testing.assert_allclose(
        loaded.perplexity(TEXTS[:3]), task.perplexity(TEXTS[:3]), rtol=1e-5
    )
    with pytest.raises(ValueError, match="must hold a `TextToText`"):
        k2s.tasks.TextToText.from_preset(tmp_path / "task")


@pytest.mark.eager(False)
@pytest.mark.skipif(
    keras.backend.backend() != "tensorflow", reason="one export, one backend"
)
@pytest.mark.filterwarnings("ignore:At most 10% of the tokens")
def test_export(task, tmp_path):
    import tensorflow as tf

    from keras_seq2seq.export import export_saved_model

    path = export_saved_model(task, tmp_path / "model", signatures=["n_best"])
    texts = ["ab", "", "zz"]
    served = tf.saved_model.load(path).signatures["n_best"](tf.constant(texts))
    for row, found in enumerate(task.generate(texts, n_best=2)):
        for place, hypothesis in enumerate(found):
            text = served["texts"].numpy()[row, place].decode()
            score = served["scores"].numpy()[row, place]
            assert text == hypothesis.text
            assert abs(score - hypothesis.score) < 1e-5


def test_columns_of_the_attention_scores(task):
    """The last token of the beginning is what the first step reads."""
    if not isinstance(task.model.decoder, k2s.layers.PrefixDecoder):
        pytest.skip("a recurrent language model attends to nothing")
    assert task.source_labels("abab") == ["[start]", "a", "b", "a"]
    assert task.source_labels("") == []
    texts = ["abab", "ab"]
    found = task.generate(texts, n_best=1, return_attention_scores=True)
    for text, (best,) in zip(texts, found):
        shape = best.attention_scores.shape
        assert shape == (len(best.tokens), len(text))
    # One column more would be padding, which nobody looks at.
    ((alone,),) = task.generate(["ab"], n_best=1, return_attention_scores=True)
    np.testing.assert_allclose(alone.attention_scores.sum(1), 1, atol=1e-5)


def test_texts_up_to_the_last_position():
    """Nothing before the text: its bucket must still have a place."""
    task = TextCompletion.from_texts(
        ["ab"], "radford_2018", **{**SETTINGS["radford_2018"], "max_length": 8}
    )
    # A column of padding, the start token and six letters.
    assert np.isfinite(task.perplexity(["ababab"]))
    with pytest.raises(ValueError, match="at least one"):
        task.perplexity([])


def test_errors():
    with pytest.raises(ValueError, match="`preset`.*radford.*='luong_2015'"):
        TextCompletion.from_texts(["ab"], "luong_2015")
    other = k2s.tasks.TextToText.from_corpus(
        [("a", "b")], "luong_2015", units=4, embedding_dim=3
    )
    with pytest.raises(TypeError, match="`model` must be a `LanguageModel`"):
        TextCompletion(other.model, other.source_tokenizer)


def test_attention_by_layer():
    """Rows and columns of each kind are tokens; all sums to 1 together."""
    task = k2s.tasks.TextCompletion.from_texts(
        ["abc", "ab"],
        preset="radford_2018_small",
        hidden_dim=4,
        num_layers=1,
        num_heads=2,
        intermediate_dim=6,
        max_length=16,
    )
    (found,) = task.score([("ab", "ca")], return_attention_scores="by_layer")
    scores = {k: x["block_0"] for k, x in found.attention_scores.items()}
    assert task.source_labels("ab") == ["[start]", "a"]
    shapes = {kind: x.shape for kind, x in scores.items()}
    assert shapes == {
        "encoder": (2, 2, 2),
        "decoder": (2, 2, 2),
        "memory": (2, 2, 2),
    }
    both = scores["memory"].sum(-1) + scores["decoder"].sum(-1)
    np.testing.assert_allclose(both, 1, atol=1e-5)
    np.testing.assert_allclose(scores["encoder"].sum(-1), 1, atol=1e-5)
    assert not np.triu(scores["encoder"], 1).any()
    assert not np.triu(scores["decoder"], 1).any()
