import keras
import pytest

from keras_seq2seq.models.compilation import default_buckets


@pytest.mark.parametrize(
    "batches, on_jax", [(0, 1), (99, 1), (250, 2), (799, 7), (10**6, 8)]
)
def test_shapes_that_are_worth_compiling(batches, on_jax):
    expected = on_jax if keras.backend.backend() == "jax" else 8
    assert default_buckets(batches) == expected
