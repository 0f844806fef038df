"""BLEU, chrF and TER.

`COMMAND` has what `sacrebleu FILE... -i FILE -m METRIC -w 6` (2.6.0) prints of
these texts in files.
"""

import math
import sys

import pytest

sacrebleu = pytest.importorskip("sacrebleu")

from keras_seq2seq import metrics  # noqa: E402

HYPOTHESES = [
    "The cat sat on a mat.",
    "He didn't read the book because he had none.",
    "It is a guide to action",
    "Nothing to see here!",
    "naïve café, 30 % off",
]
FIRST = [
    "The cat sat on the mat.",
    "He did not read the book, as he had none.",
    "It is a guide to action that ensures obedience",
    "nothing to see here",
    "Naïve café: 30% off",
]
SECOND = [
    "A cat was sitting on a mat.",
    "He had no book and so he read none.",
    "It is the guiding principle",
    "There is nothing to see here!",
    "A naive café, with 30 % off",
]
ONE = [[text] for text in FIRST]
TWO = [list(pair) for pair in zip(FIRST, SECOND)]
COMMAND = [
    ("bleu", ONE, {}, 43.898111),
    ("bleu", TWO, {}, 61.586009),
    ("bleu", ONE, {"tokenize": "char", "lowercase": True}, 69.606669),
    ("chrf", ONE, {}, 64.527362),
    ("chrf", TWO, {}, 64.527362),
    ("chrf", ONE, {"word_order": 2}, 64.460628),
    ("ter", ONE, {}, 36.363636),
    ("ter", TWO, {}, 35.820896),
]
NAMES = ["bleu", "chrf", "ter"]


@pytest.mark.parametrize("name, references, options, expected", COMMAND)
def test_against_the_command(name, references, options, expected):
    score = metrics.get(name)(references, HYPOTHESES, **options)
    assert score == pytest.approx(expected, abs=1e-6)


def test_bleu_by_hand():
    # All n-grams match, 9 words, the closest lengths are 9 and 4.
    references = [["a b c d x x x x x"], ["e f g h", "e f g h i j k"]]
    score = metrics.bleu(references, ["a b c d", "e f g h i"])
    assert score == pytest.approx(100 * math.exp(1 - 13 / 9))
    assert "nrefs:var" in score.signature


def test_chrf_by_hand():
    # Letters: 2 of 2 and of 4; pairs: 1 of 1 and of 3; no longer ones.
    precision, recall = 1, (1 / 2 + 1 / 3) / 2
    expected = 5 * precision * recall / (4 * precision + recall)
    score = metrics.chrf([["ab ac"]], ["ab"])
    assert score == pytest.approx(100 * expected)
    references = [["ab ac"], ["x", "ab ac", "xab"]]
    assert metrics.chrf(references, ["ab", "ab"]) > score  # "xab" is closer
    assert metrics.chrf(references, ["ab ac"] * 2) == 100


def test_ter_by_hand():
    # 0 edits of 4 words; 1 edit, to the second, of (2 + 6) / 2 words
    references = [["a b c d"], ["a b", "a b c d e f"]]
    score = metrics.ter(references, ["a b c d", "A b c d e"])
    assert score == pytest.approx(100 * 1 / 8)
    score = metrics.ter(references, ["a b c d", "A b c d e"], case_sensitive=1)
    assert score == pytest.approx(100 * 2 / 8)


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_reference_is_one(name):
    references, hypotheses = [["a b c d e"], [""]], ["a b c d e", ""]
    score = metrics.get(name)(references, hypotheses)
    assert score == pytest.approx(0 if name == "ter" else 100)
    assert "|nrefs:1|" in score.signature
    with_second = metrics.get(name)([["a b c d e"], ["", "a"]], hypotheses)
    assert "|nrefs:var|" in with_second.signature


@pytest.mark.parametrize("name", NAMES)
def test_signature(name):
    signature = metrics.get(name)(TWO, HYPOTHESES).signature
    label = {"bleu": "BLEU", "chrf": "chrF2", "ter": "TER"}[name]
    assert signature.startswith(f"{label}|nrefs:2|case:")
    assert signature.endswith(f"|version:{sacrebleu.__version__}")
    if name != "ter":
        lower = metrics.get(name)(TWO, HYPOTHESES, lowercase=True).signature
        assert lower == signature.replace("case:mixed", "case:lc")


def test_other_sequences():
    references = tuple(tuple(group) for group in TWO)
    assert metrics.bleu(references, tuple(HYPOTHESES)) == metrics.bleu(
        TWO, HYPOTHESES
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("references", "hypotheses", "received"),
    [
        ([], [], r"len\(references\)=0"),
        ([["a"]], [], r"len\(references\)=1, len\(hypotheses\)=0"),
        (["a"], ["a"], r"references\[0\] of type str"),
        ([["a"], []], ["a", "b"], r"references\[1\] of type list and length 0"),
        ([["a", None]], ["a"], r"references\[0\]\[1\] of type NoneType"),
        ([["a"]], [["a"]], r"hypotheses\[0\] of type list"),
    ],
)
def test_errors(name, references, hypotheses, received):
    with pytest.raises(ValueError, match=f"Received: {received}"):
        metrics.get(name)(references, hypotheses)


def test_errors_of_options():
    with pytest.raises(ValueError, match="'13a'.*Received: tokenize='words'"):
        metrics.bleu(ONE, HYPOTHESES, tokenize="words")
    with pytest.raises(ValueError, match="Received: word_order=-1"):
        metrics.chrf(ONE, HYPOTHESES, word_order=-1)


@pytest.mark.parametrize("name", NAMES)
def test_without_sacrebleu(name, monkeypatch):
    function = metrics.get(name)
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)
    for call in (lambda: metrics.get(name), lambda: function(ONE, HYPOTHESES)):
        with pytest.raises(ImportError, match=r"pip install .*\[metrics\]"):
            call()
    assert metrics.get("cer") is metrics.character_error_rate
