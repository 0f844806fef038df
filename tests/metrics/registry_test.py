import pytest

from keras_seq2seq import metrics


def test_get():
    assert metrics.get("per") is metrics.phoneme_error_rate
    assert metrics.get("wer") is metrics.word_error_rate
    assert metrics.get("cer") is metrics.character_error_rate
    assert metrics.get("exact_match") is metrics.exact_match
    assert metrics.get(len) is len


@pytest.mark.parametrize("identifier", ["bleurt", None, 3])
def test_errors(identifier):
    with pytest.raises(ValueError, match="'per', 'wer'.*Received: metric="):
        metrics.get(identifier)
