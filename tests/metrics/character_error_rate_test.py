import jiwer
import pytest

from keras_seq2seq.metrics import character_error_rate


def test_by_hand():
    # One substitution of 5; a space too many for the closest one, of 2.
    references = [["naïve"], ["ab", "abcde"]]
    assert character_error_rate(references, ["naive", "a b"]) == 2 / 7


def test_equals_jiwer():
    references = ["the cat sat", "on a mat", "naïve café"]
    hypotheses = ["a cat sat", "on the mats", ""]
    rate = character_error_rate([[text] for text in references], hypotheses)
    assert rate == pytest.approx(jiwer.cer(references, hypotheses), abs=1e-12)


def test_errors():
    with pytest.raises(ValueError, match=r"Received: len\(references\)=0"):
        character_error_rate([], [])
    with pytest.raises(ValueError, match=r"hypotheses\[0\] of type list"):
        character_error_rate([["a"]], [["a"]])
    with pytest.raises(ValueError, match="only empty token lists"):
        character_error_rate([[""]], ["a"])
