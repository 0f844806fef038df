import jiwer
import pytest

from keras_seq2seq.metrics import word_error_rate


def test_share_of_wrong_items():
    references = [[["K", "AA"]], [["EY"], ["AH"]], [["S"]], [[]]]
    hypotheses = [["K", "AA"], ["AH"], ["S", "S"], []]
    assert word_error_rate(references, hypotheses) == 1 / 4


def test_kinds_of_lists_do_not_matter():
    assert word_error_rate([[("K", "AA")]], [["K", "AA"]]) == 0
    assert word_error_rate([(["K", "AA"],)], [("K", "EY")]) == 1


def test_equals_jiwer_with_items_as_words():
    references = ["abc", "b", "c", "ab"]
    hypotheses = ["abc", "c", "c", "b"]
    expected = jiwer.wer(" ".join(references), " ".join(hypotheses))
    rate = word_error_rate(
        [[list(r)] for r in references], map_list(hypotheses)
    )
    assert rate == expected == 1 / 2


def map_list(texts):
    return [list(text) for text in texts]


def test_errors():
    with pytest.raises(ValueError, match=r"Received: len\(references\)=0"):
        word_error_rate([], [])
    with pytest.raises(ValueError, match=r"len\(hypotheses\)=2"):
        word_error_rate([[["a"]]], [["a"], ["b"]])
    with pytest.raises(ValueError, match=r"references\[0\]\[0\] of type str"):
        word_error_rate([["a"]], [["a"]])
