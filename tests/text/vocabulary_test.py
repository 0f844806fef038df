import json

import keras
import pytest

from keras_seq2seq.text import Vocabulary


def test_special_ids_come_first():
    vocabulary = Vocabulary(["b", "a"])
    assert len(vocabulary) == 6
    assert [vocabulary.id_to_token(index) for index in range(6)] == [
        "[pad]",
        "[start]",
        "[end]",
        "[unknown]",
        "b",
        "a",
    ]
    assert vocabulary.pad_token_id == 0
    assert vocabulary.start_token_id == 1
    assert vocabulary.end_token_id == 2
    assert vocabulary.unknown_token_id == 3


def test_token_to_id():
    vocabulary = Vocabulary(["b", "a"])
    assert vocabulary.token_to_id("a") == 5
    assert vocabulary.token_to_id("[end]") == 2
    assert vocabulary.token_to_id("z") == 3
    assert "a" in vocabulary
    assert "z" not in vocabulary


def test_from_corpus_orders_by_count_then_code_point():
    # counts: a 1, b 2, é 2, Z 2, c 3
    lists = [["é", "b", "c", "Z"], ["c", "Z", "é"], ["c", "a", "b"]]
    assert Vocabulary.from_corpus(lists).tokens == ("c", "Z", "b", "é", "a")
    assert Vocabulary.from_corpus(reversed(lists)).tokens == (
        "c",
        "Z",
        "b",
        "é",
        "a",
    )


def test_from_corpus_limits():
    lists = [["a", "a", "a", "b", "b", "c"]]
    assert Vocabulary.from_corpus(lists, min_count=2).tokens == ("a", "b")
    vocabulary = Vocabulary.from_corpus(lists, vocabulary_size=5)
    assert vocabulary.tokens == ("a",)
    assert len(vocabulary) == 5


def test_serialization():
    vocabulary = Vocabulary(["\0", "\n", "\u2028", "é"])
    config = keras.saving.serialize_keras_object(vocabulary)
    assert config["registered_name"] == "keras_seq2seq>Vocabulary"
    config = json.loads(json.dumps(config))
    again = keras.saving.deserialize_keras_object(config)
    assert again.tokens == vocabulary.tokens
    assert Vocabulary.from_config(vocabulary.get_config()).tokens == (
        "\0",
        "\n",
        "\u2028",
        "é",
    )


@pytest.mark.parametrize(
    ("tokens", "received"),
    [
        (["a", "b", "a"], r"tokens\[0\] = 'a', 2 times"),
        (["a", "[end]"], r"tokens\[1\] = '\[end\]'"),
        (["a", ""], r"tokens\[1\] empty"),
        (["a", 4], r"tokens\[1\] of type int"),
        (["\ud800"], r"tokens\[0\] with a surrogate"),
        ("ab", "tokens of type str"),
    ],
)
def test_errors(tokens, received):
    with pytest.raises(ValueError, match=f"`tokens`.*Received: {received}"):
        Vocabulary(tokens)


def test_errors_of_limits_and_ids():
    with pytest.raises(ValueError, match="`vocabulary_size`.*=4"):
        Vocabulary.from_corpus([["a"]], vocabulary_size=4)
    with pytest.raises(ValueError, match="`min_count`.*Received: min_count=0"):
        Vocabulary.from_corpus([["a"]], min_count=0)
    with pytest.raises(ValueError, match="`token_id`.*Received: token_id=5"):
        Vocabulary(["a"]).id_to_token(5)
    with pytest.raises(ValueError, match="Received: token_id=-1"):
        Vocabulary(["a"]).id_to_token(-1)
