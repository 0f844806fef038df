"""Tokenizers by name, with settings, and one for both sides."""

import keras
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.tasks.learn_tokenizer import learn_tokenizer
from keras_seq2seq.text import CharacterTokenizer
from keras_seq2seq.text import SubwordTokenizer
from keras_seq2seq.text import SymbolTokenizer

PAIRS = [("aab", "X Y"), ("abc", "X Z"), ("a", "X Y")]
SETTINGS = {"units": 4, "embedding_dim": 3}


def new_task(pairs=PAIRS, **tokenizers):
    return k2s.tasks.TextToText.from_corpus(
        pairs, "bahdanau_2015", **tokenizers, **SETTINGS
    )


def test_size_and_count():
    task = new_task(
        source_tokenizer={"name": "character", "vocabulary_size": 6},
        target_tokenizer={"name": "symbol", "min_count": 2},
    )
    assert task.source_tokenizer.vocabulary.tokens == ("a", "b")
    assert task.target_tokenizer.vocabulary.tokens == ("X", "Y")
    assert task.model.source.vocabulary_size == 6
    assert task.model.output_layer.units == 6


def test_settings_are_those_of_from_texts():
    for settings, kind in {
        ("lowercase", False): CharacterTokenizer,
        ("min_count", 1): SymbolTokenizer,
    }.items():
        name = kind.__name__.removesuffix("Tokenizer").lower()
        given = {"name": name, **dict([settings])}
        assert isinstance(learn_tokenizer(given, ["A"], "x"), kind)
    tokenizer = learn_tokenizer(
        {"name": "character", "lowercase": True}, ["A"], "x"
    )
    assert tokenizer.vocabulary.tokens == ("a",)
    config = keras.saving.serialize_keras_object(tokenizer)
    again = learn_tokenizer(config, ["Z"], "x")
    assert again.vocabulary.tokens == ("a",)
    assert learn_tokenizer(tokenizer, ["Z"], "x") is tokenizer


def test_one_vocabulary_of_both_sides():
    given = {"name": "subword", "vocabulary_size": 275}
    pairs = [("the cat", "il gatto"), ("the mat", "il gatto")]
    for side in ("source_tokenizer", "target_tokenizer"):
        task = new_task(pairs, **{side: given}, joint_vocabulary=True)
        tokenizer = task.source_tokenizer
        assert tokenizer is task.target_tokenizer
        assert isinstance(tokenizer, SubwordTokenizer)
        assert len(tokenizer.vocabulary) == 275
        assert {*"thecamilgo"} - {"\u2581"} <= {*tokenizer.vocabulary.tokens}
    symbols = new_task(
        source_tokenizer="symbol",
        target_tokenizer="symbol",
        joint_vocabulary=True,
    )
    tokens = symbols.source_tokenizer.vocabulary.tokens
    assert tokens == ("X", "Y", "Z", "a", "aab", "abc")
    fine = new_task(encoder_from=symbols, joint_vocabulary=True)
    assert fine.target_tokenizer is symbols.source_tokenizer


def test_of_a_language_model():
    task = k2s.tasks.TextCompletion.from_texts(
        ["aab", "abc"],
        "zaremba_2014",
        tokenizer={"name": "character", "min_count": 2},
        **SETTINGS,
    )
    assert task.tokenizer.vocabulary.tokens == ("a", "b")


@pytest.mark.parametrize(
    ("tokenizers", "problem"),
    [
        ({"source_tokenizer": "letter"}, "one of.*=.letter"),
        ({"target_tokenizer": 3}, "`target_tokenizer`.*one of.*=3"),
        ({"source_tokenizer": {"min_count": 2}}, "with such a `name`.*None"),
        (
            {"source_tokenizer": {"name": "symbol", "min_cout": 2}},
            r"=.symbol. are \['min_count', 'vocabulary_size'\]. .*: min_cout",
        ),
        (
            {"source_tokenizer": {"name": "subword", "min_count": 2}},
            "vocabulary_size'.*: min_count",
        ),
        (
            {"source_tokenizer": "symbol", "target_tokenizer": "character"},
            "`joint_vocabulary` needs the same.*Give one",
        ),
        ({"source_tokenizer": {"name": "symbol", "min_count": 0}}, "at least"),
    ],
)
def test_errors(tokenizers, problem):
    joint = "character" in tokenizers.values()
    with pytest.raises(ValueError, match=problem):
        new_task(**tokenizers, joint_vocabulary=joint)
