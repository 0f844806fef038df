from keras_seq2seq.utils.chunks import chunks


def test_chunks():
    assert [*chunks(range(5), 2)] == [[0, 1], [2, 3], [4]]
    assert [*chunks("abcd", 2)] == [["a", "b"], ["c", "d"]]
    assert [*chunks([], 3)] == []
    assert next(chunks(iter(int, 1), 3)) == [0, 0, 0]  # endless
