from keras_seq2seq.data.batch_cost import affordable_rows
from keras_seq2seq.data.batch_cost import most_tokens


def test_the_square_of_the_tokens_counts():
    assert affordable_rows(128, 362) == 128  # 128 * 362**2 = 16,773,632
    assert affordable_rows(128, 363) == 127
    assert affordable_rows(8, 4096) == 1
    assert affordable_rows(8, 4097) == 0
    assert affordable_rows(5, 3, max_cost=20) == 2
    assert affordable_rows(5, 0, max_cost=3) == 3


def test_the_longest_row_of_so_many():
    for rows in (1, 7, 128):
        most = most_tokens(rows)
        assert affordable_rows(rows, most) == rows
        assert affordable_rows(rows, most + 1) < rows
