"""Texts that a tokenizer does not know."""

import warnings

import pytest

from keras_seq2seq.tasks import TextCompletion
from keras_seq2seq.tasks import TextToText
from keras_seq2seq.tasks.encode_texts import encode_texts
from keras_seq2seq.text import SymbolTokenizer

pytestmark = pytest.mark.eager

PAIRS = [("ab ab", "A B"), ("ba", "B A")]
STRANGE = [("\u0436ab\u0436", "A C B C")]


@pytest.fixture(scope="module")
def task():
    return TextToText.from_corpus(
        PAIRS,
        "luong_2015",
        units=4,
        embedding_dim=4,
        num_layers=1,
        target_tokenizer="symbol",
        search="greedy",
    )


def lists(rows):
    return [row.tolist() for row in rows]


def test_a_tenth_is_silent_and_more_is_not():
    tokenizer = SymbolTokenizer.from_texts(["a b"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = lists(encode_texts(tokenizer, ["a c", "a " * 8], "texts"))
        assert found[0] == [4, 3]
        # A single unknown token is no share.
        assert lists(encode_texts(tokenizer, ["c"], "texts")) == [[3]]
        assert lists(encode_texts(tokenizer, [], "texts")) == []
        assert lists(encode_texts(tokenizer, ["", ""], "texts")) == [[], []]
    # Two of seven.
    expected = "`texts` should be unknown.*28.6%, such as 'you' in text 1"
    with pytest.warns(UserWarning, match=expected):
        encode_texts(tokenizer, ["a a", "b you c a a"], "texts")


@pytest.mark.parametrize(
    "call, shares",
    [
        (lambda task: task.generate(["\u0436ab\u0436"]), {"texts": "50.0%"}),
        (
            lambda task: task.score(STRANGE),
            {"pairs, source": "50.0%", "pairs, target": "50.0%"},
        ),
        (
            lambda task: task.evaluate(STRANGE),
            {"texts": "50.0%", "corpus, references": "50.0%"},
        ),
        (
            lambda task: task.batches(STRANGE),
            {"corpus, source": "50.0%", "corpus, target": "50.0%"},
        ),
    ],
    ids=["generate", "score", "evaluate", "batches"],
)
def test_each_way_into_a_task(task, call, shares):
    with pytest.warns(UserWarning) as found:
        call(task)
    texts = [str(x.message) for x in found if x.category is UserWarning]
    assert {x.filename for x in found if x.category is UserWarning} == {
        __file__
    }
    assert len(texts) == len(shares)
    for argument, share in shares.items():
        (text,) = [x for x in texts if f"tokens of `{argument}`" in x]
        assert f"Received: {share}, such as " in text


def test_validation_data(task):
    task.compile()
    strange = [("\u0436ab\u0436", "A B")]
    with warnings.catch_warnings(record=True) as found:  # TensorFlow's, too
        warnings.simplefilter("always")
        task.fit(PAIRS, validation_data=strange, verbose=0)
    texts = [str(x.message) for x in found if x.category is UserWarning]
    assert any("`validation_data, source`" in text for text in texts)


def test_a_language_model():
    task = TextCompletion.from_texts(
        ["ab"], "zaremba_2014", units=4, embedding_dim=3, search="greedy"
    )
    with pytest.warns(UserWarning, match="`beginnings`.*100.0%"):
        task.next_tokens(["xy"])
    with pytest.warns(UserWarning, match="`corpus`.*25.0%"):
        task.batches(["abab", "abxx"])
