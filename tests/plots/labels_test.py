import pytest

from keras_seq2seq.plots.labels import is_wide
from keras_seq2seq.plots.labels import to_label


@pytest.mark.parametrize(
    "word",
    [
        "\u0939\u093f\u0928\u094d\u0926\u0940",  # Hindi, of Hindi
        "\u0e19\u0e49\u0e33",  # water, of Thai
        "\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd",  # peace, pointed Hebrew
        "cafe\u0301",  # NFD
        "\u304b\u3099",  # NFD, of Japanese
        "\u0645\u06cc\u200c\u062e",  # Persian, with a joiner that separates
        "\U0001f469\u200d\U0001f52c",  # a woman who is a scientist
        "\u2764\ufe0f",
        "\u1112\u1161\u11ab",  # Korean, in letters
    ],
)
def test_words_stay_whole(word):
    assert to_label(word) == word


@pytest.mark.parametrize(
    "token, expected",
    [
        ("\u093f", "\u25cc\u093f"),  # a mark of its own
        ("\u05b8\u05c1", "\u25cc\u05b8\u05c1"),  # two, on one circle
        ("\u0301a\u0301", "\u25cc\u0301a\u0301"),
        (" \u0301", "\u2423\u25cc\u0301"),  # a blank is no letter
        ("\n\u0301", "U+000A\u25cc\u0301"),
        ("\u200d", "U+200D"),
        ("a\u200bb", "aU+200Bb"),
        ("a b", "a\u2423b"),
        ("", "\u2205"),
    ],
)
def test_what_cannot_stand_alone(token, expected):
    assert to_label(token) == expected


def test_wide_scripts():
    assert all(map(is_wide, ["猫", "マット", "汉语", "한국어", "。", "ー"]))
    assert not any(map(is_wide, ["a", "猫a", "ab", "שלום", "ｱ", "1"]))
