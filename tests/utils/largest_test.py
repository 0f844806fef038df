import pytest

from keras_seq2seq.utils.largest import largest


@pytest.mark.parametrize("limit", range(12))
def test_by_counting(limit):
    tried = []

    def check(n):
        tried.append(n)
        if n > limit:
            raise ValueError

    assert largest(9, check) == min(max(limit, 1), 9)
    assert largest(9, check, least=4) == min(max(limit, 4), 9)
    assert {*tried} <= {*range(1, 10)}
    assert len(tried) <= 8  # a search in halves


def test_other_errors_are_said():
    with pytest.raises(TypeError):
        largest(9, lambda n: n + "")
