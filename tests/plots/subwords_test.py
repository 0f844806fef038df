import types

import numpy as np
import pytest

pytest.importorskip("sentencepiece")

from keras_seq2seq import plots  # noqa: E402
from keras_seq2seq.tasks import Hypothesis  # noqa: E402
from keras_seq2seq.text import CharacterTokenizer  # noqa: E402
from keras_seq2seq.text import SubwordTokenizer  # noqa: E402
from keras_seq2seq.text import SymbolTokenizer  # noqa: E402
from tests.helpers.subwords import ODD  # noqa: E402
from tests.helpers.subwords import SENTENCES  # noqa: E402


@pytest.fixture(scope="module")
def subwords():
    return SubwordTokenizer.from_texts(SENTENCES, vocabulary_size=340)


def task(source, target):
    return types.SimpleNamespace(
        source_tokenizer=source,
        target_tokenizer=target,
        source_labels=source.tokenize,
    )


def join(source, target, text, output, tokens=None):
    """Words of both sides, and scores before and after."""
    tokens = target.tokenize(output) if tokens is None else tokens
    draws = np.random.default_rng(0)
    scores = draws.random((len(tokens), len(source.tokenize(text))))
    best = Hypothesis(output, -1.0, tokens, scores)
    words, joined = plots.join_subwords(task(source, target), text, best)
    assert (joined.text, joined.score) == (output, -1.0)
    return words, joined.tokens, scores, joined.attention_scores


def test_scores_by_hand(subwords):
    assert subwords.tokenize("The rats") == ["▁T", "he", "▁r", "at", "s"]
    words, tokens, scores, joined = join(
        subwords, subwords, "The rats", "the mat"
    )
    assert subwords.tokenize("the mat") == ["▁the", "▁m", "at"]
    assert (words, tokens) == (["The", "rats"], ["the", "mat"])
    by_source = np.stack(
        [scores[:, :2].sum(axis=1), scores[:, 2:].sum(axis=1)], axis=1
    )
    expected = [by_source[0], (by_source[1] + by_source[2]) / 2]
    np.testing.assert_allclose(joined, expected)


def test_rows_that_sum_to_one_still_do(subwords):
    text = SENTENCES[1]
    tokens = subwords.tokenize(text)
    scores = np.random.default_rng(1).random((len(tokens),) * 2)
    scores /= scores.sum(axis=1, keepdims=True)
    best = Hypothesis(text, -1.0, tokens, scores)
    words, joined = plots.join_subwords(task(subwords, subwords), text, best)
    assert words == joined.tokens
    np.testing.assert_allclose(joined.attention_scores.sum(axis=1), 1)


def test_words_and_marks(subwords):
    words, *_ = join(subwords, subwords, SENTENCES[1], "the")
    assert " ".join(words) == (
        "It ' s the cat ' s mat ; who sat there ? The rats ( 2 of them )!"
    )


def test_another_segmentation_and_bytes(subwords):
    tokens = ["▁", *"the", "▁", "r", "at", "s", "'", "▁", "猫"]
    tokens += [f"<0x{byte:02X}>" for byte in "😀".encode()]
    tokens += ["▁", *"cat"]
    _, words, scores, joined = join(
        subwords, subwords, "the", "the rats' 猫😀 cat", tokens
    )
    assert words == ["the", "rats", "'", "猫", "😀", "cat"]
    counts = [4, 4, 1, 2, 4, 4]
    starts = np.cumsum([0, *counts])
    for row, first, last in zip(joined, starts, starts[1:]):
        np.testing.assert_allclose(row, scores[first:last].mean(axis=0))


def test_scripts_without_spaces_are_not_joined(subwords):
    words, *_ = join(subwords, subwords, "猫がマットの上", "the")
    assert words == ["猫", "が", "マ", "ッ", "ト", "の", "上"]


@pytest.mark.parametrize("text", [x for x in ODD if len(x) < 99], ids=ascii)
def test_no_token_is_lost(subwords, text):
    words, tokens, scores, joined = join(subwords, subwords, text, text)
    assert joined.shape == (len(tokens), len(words))
    assert words == tokens
    ones = Hypothesis(text, 0.0, subwords.tokenize(text), np.ones_like(scores))
    _, joined = plots.join_subwords(task(subwords, subwords), text, ones)
    # Each word of the output counts each token of the source once.
    np.testing.assert_allclose(
        joined.attention_scores.sum(axis=1), scores.shape[1]
    )


def test_tokens_that_are_whole_stay(subwords):
    characters = CharacterTokenizer.from_texts(["ab c"])
    symbols = SymbolTokenizer.from_texts(["K AA"])
    words, tokens, scores, joined = join(characters, symbols, "ab c", "K AA")
    assert (words, tokens) == (["a", "b", " ", "c"], ["K", "AA"])
    np.testing.assert_array_equal(joined, scores)
    # An unknown token is not in the text.
    _, tokens, *_ = join(
        characters, subwords, "ab", "\ufffd the", ["[unknown]", "▁the"]
    )
    assert tokens == ["[unknown]", "▁the"]


def test_errors(subwords):
    both = task(subwords, subwords)
    for scores, kind in ((None, "without"), ({"memory": {}}, "by layer")):
        best = Hypothesis("the", -1.0, ["▁the"], scores)
        with pytest.raises(ValueError, match=f"must hold one array.*{kind}"):
            plots.join_subwords(both, "the", best)
    with pytest.raises(TypeError, match="`hypothesis` must be a `Hypothesis`"):
        plots.join_subwords(both, "the", [])
