import importlib.metadata
import sys

import pytest

rouge_score = pytest.importorskip("rouge_score")

from rouge_score import rouge_scorer  # noqa: E402

from keras_seq2seq import metrics  # noqa: E402
from keras_seq2seq.metrics.rouge_words import split_words  # noqa: E402

VERSION = importlib.metadata.version("rouge-score")
NAMES = ["rouge1", "rouge2", "rougeL"]
HYPOTHESES = [
    "The cat sat on a mat.",
    "He didn't read the book because he had none.",
    "It is a guide_to action",
    "Nothing to see here!",
]
REFERENCES = [
    ["The cat sat on the mat.", "A cat was sitting on a mat."],
    ["He did not read the book, as he had none."],
    ["It is a guide to action that ensures 100 % obedience"],
    ["There is nothing to see here"],
]


@pytest.mark.parametrize("name", NAMES)
def test_english_as_the_package_reads_it(name):
    peer = rouge_scorer.RougeScorer([name])  # with its own tokenizer
    expected = 0.0
    for group, text in zip(REFERENCES, HYPOTHESES):
        scores = peer.score_multi(group, text)
        expected += 100 * scores[name].fmeasure / len(HYPOTHESES)
    score = metrics.get(name)(REFERENCES, HYPOTHESES)
    assert score == pytest.approx(expected)
    assert 0 < score < 100


def test_by_hand():
    references, hypotheses = [["a b c d"], ["x y"]], ["a c b e f", "x y"]
    # 3 of 5 and of 4 words; no pair of words; "a b" or "a c" in order.
    first = {"rouge1": 6 / 9, "rouge2": 0, "rougeL": 4 / 9}
    for name in NAMES:
        score = metrics.get(name)(references, hypotheses)
        assert score == pytest.approx(100 * (first[name] + 1) / 2)


@pytest.mark.parametrize(
    "text, words",
    [
        ("Don't say 3.5_A!", ["don", "t", "say", "3", "5", "a"]),
        ("Größe, ñandú", ["größe", "ñandú"]),
        ("nai\u0308ve \u0301x", ["nai\u0308ve", "x"]),
        ("日本語のテスト。v2", [*"日本語のテスト", "v2"]),
        ("ก็ไป", ["ก็", "ไ", "ป"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("שלום, עולם", ["שלום", "עולם"]),
        ("…", []),
        ("", []),
    ],
)
def test_words(text, words):
    assert split_words(text) == words


@pytest.mark.parametrize("text", ["猫が座った", "Привет, мир", "مرحبا بالعالم"])
def test_equal_texts_in_any_script(text):
    for name in NAMES:
        assert metrics.get(name)([[text]], [text]) == pytest.approx(100)
    assert metrics.rouge1([[text]], [""]) == 0


def test_words_of_ones_own():
    references, hypotheses = [["abcd"]], ["abxd"]
    assert metrics.rouge1(references, hypotheses) == 0
    score = metrics.rouge1(references, hypotheses, tokenize=list)
    assert score == pytest.approx(75)
    assert "|tok:own|" in score.signature


@pytest.mark.parametrize("name", NAMES)
def test_signature(name):
    signature = metrics.get(name)(REFERENCES, HYPOTHESES).signature
    label = name.replace("rouge", "ROUGE-")
    assert signature == f"{label}|nrefs:var|tok:words|stem:no|version:{VERSION}"
    one = metrics.get(name)([["a"], ["b"]], ["a", "b"])
    assert "|nrefs:1|" in one.signature


def test_errors():
    with pytest.raises(ValueError, match=r"Received: len\(references\)=0"):
        metrics.rouge1([], [])
    with pytest.raises(ValueError, match=r"hypotheses\[0\] of type list"):
        metrics.rougeL([["a"]], [["a"]])


@pytest.mark.parametrize("name", NAMES)
def test_without_rouge_score(name, monkeypatch):
    function = metrics.get(name)
    monkeypatch.setitem(sys.modules, "rouge_score", None)
    for call in (
        lambda: metrics.get(name),
        lambda: function(REFERENCES, HYPOTHESES),
    ):
        with pytest.raises(ImportError, match=r"pip install .*\[metrics\]"):
            call()
