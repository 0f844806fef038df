import random

import jiwer
import pytest

from keras_seq2seq.metrics import phoneme_error_rate


def test_one_reference():
    # one substitution and one deletion, of 4; one insertion, of 2
    references = [[["a", "b", "c", "d"]], [["a", "b"]]]
    hypotheses = [["a", "x", "c"], ["a", "b", "b"]]
    assert phoneme_error_rate(references, hypotheses) == 3 / 6


def test_tokens_are_compared_whole():
    assert phoneme_error_rate([[["EH", "AA"]]], [["EY", "AA"]]) == 1 / 2


def test_closest_reference_counts():
    # distances 2 (of 3) and 1 (of 4): the second
    references = [[["x", "y", "c"], ["a", "b", "c", "d"]]]
    assert phoneme_error_rate(references, [["a", "b", "c"]]) == 1 / 4


def test_of_equally_close_references_the_longest_counts():
    references = [[["a"], ["a", "b", "c"], ["b", "b"]]]  # 1 error each
    assert phoneme_error_rate(references, [["a", "b"]]) == 1 / 3


def test_bounds():
    assert phoneme_error_rate([[["a"]]], [["a"]]) == 0
    assert phoneme_error_rate([[["a"]]], [[]]) == 1
    assert phoneme_error_rate([[["a"]]], [["b", "b", "b"]]) == 3
    assert phoneme_error_rate([[["a"]], [[]]], [["a"], ["b"]]) == 1


def test_equals_jiwer():
    generator = random.Random(0)
    draw = lambda low: generator.choices("abc", k=generator.randint(low, 8))  # noqa: E731
    references = [draw(1) for _ in range(200)]
    hypotheses = [draw(0) for _ in range(200)]
    expected = jiwer.wer(
        list(map(" ".join, references)), list(map(" ".join, hypotheses))
    )
    rate = phoneme_error_rate([[r] for r in references], hypotheses)
    assert rate == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("references", "hypotheses", "received"),
    [
        ([[["a"]]], [], r"len\(references\)=1, len\(hypotheses\)=0"),
        ([], [], r"len\(references\)=0"),
        ([[]], [["a"]], r"references\[0\] of type list and length 0"),
        ([["a", "b"]], [["a"]], r"references\[0\]\[0\] of type str"),
        (["ab"], [["a"]], r"references\[0\] of type str and length 2"),
        ([[["a"]]], ["a"], r"hypotheses\[0\] of type str"),
        ([[["a"]]], [None], r"hypotheses\[0\] of type NoneType"),
        ([[[]]], [["a"]], "only empty token lists"),
    ],
)
def test_errors(references, hypotheses, received):
    with pytest.raises(ValueError, match=f"Received: {received}"):
        phoneme_error_rate(references, hypotheses)
