"""How many rows of what length a model sees at once."""

import types

import numpy as np
import pytest

from keras_seq2seq.tasks.length_batches import predict_rows

ENDLESS = types.SimpleNamespace(  # a model that reads sources of any length
    check_lengths=lambda source_length, target_length: None,
    max_source_length=lambda target_length: None,
    max_target_length=lambda source_length: None,
)


def batches(lengths):
    """Pairs of rows and bucket of each batch; each row comes back as itself."""
    seen = []

    def function(rows, bucket):
        seen.append((len(rows), bucket))
        return {"row": np.array(rows)}

    found = predict_rows(
        function,
        list(range(len(lengths))),
        lengths,
        model=ENDLESS,
        verbose=False,
    )
    assert [int(row["row"]) for row in found] == list(range(len(lengths)))
    return seen


def test_long_rows_come_few_at_a_time():
    # At most 2**24: 64 rows of 512, 8 of 1,448, one of 4,096.
    assert batches([(512,)] * 70) == [(64, (512,)), (8, (512,))]
    assert batches([(513,)] * 9) == [(8, (768,)), (1, (768,))]
    assert batches([(1024,)] * 2) == [(8, (1024,))]
    assert batches([(1025,)] * 3) == [(1, (1536,))] * 3
    assert batches([(16_384,)]) == [(1, (16_384,))]
    assert batches([(256, 256)] * 9) == [(64, (256, 256))]
    assert batches([(256, 257)] * 9) == [(8, (256, 384)), (1, (256, 384))]


@pytest.mark.parametrize(
    "length, most",
    [((100_000,), "16,384"), ((16_385,), "16,384"), ((4000, 97), "4,096")],
)
def test_a_row_that_is_too_long_is_an_error_before_all(length, most):
    lengths = [(1,) * len(length)] * 3 + [length]
    expected = f"at most {most} tokens. Received: number 3 with {sum(length):,}"
    with pytest.raises(ValueError, match=expected):
        predict_rows(None, [0] * 4, lengths, model=ENDLESS)
