import pytest

from keras_seq2seq.metrics import exact_match


def test_share_of_equal_texts():
    references = [["a b"], ["a", "b"], ["A"], [""], ["a  b"]]
    hypotheses = ["a b", "b", "a", "", "a b"]
    assert exact_match(references, hypotheses) == 3 / 5


def test_errors():
    with pytest.raises(ValueError, match=r"Received: len\(references\)=0"):
        exact_match([], [])
    with pytest.raises(ValueError, match=r"references\[0\]\[0\] of type list"):
        exact_match([[["a"]]], ["a"])
