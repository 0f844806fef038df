"""What an encoder says of itself."""

import keras
import numpy as np
import pytest
from keras import ops

import keras_seq2seq as k2s
from tests.helpers.models import SIZES
from tests.helpers.models import shaken

BLOCK = k2s.layers.TransformerBlock(2, 6)


class Averaging(k2s.layers.Encoder):
    """The mean of four neighbours, for sources of multiples of four."""

    stride = 4
    max_length = 40

    def call(self, inputs, mask=None):
        batch, length, dim = ops.shape(inputs)
        groups = ops.reshape(inputs, (batch, -1, self.stride, dim))
        return ops.mean(groups, axis=2), {}

    def compute_output_shape(self, inputs_shape):
        batch, length, dim = inputs_shape
        return (batch, length and length // self.stride, dim), {}


def transformer(max_length):
    position = k2s.layers.LearnedPosition(max_length)
    return k2s.layers.TransformerEncoder(BLOCK, 1, position=position)


def pyramid(*encoders):
    return k2s.layers.PyramidalEncoder(list(encoders))


def stack(*encoders):
    return k2s.layers.StackedEncoder(list(encoders))


@pytest.mark.parametrize(
    "encoder,stride,max_length",
    [
        (k2s.layers.IdentityEncoder(), 1, None),
        (k2s.layers.RecurrentEncoder(keras.layers.GRUCell(2)), 1, None),
        (transformer(9), 1, 9),
        # The second reads every fourth position.
        (pyramid(transformer(9), transformer(4)), 4, 16),
        (pyramid(transformer(9), transformer(5)), 4, 18),
        (stack(transformer(9), pyramid(transformer(3))), 2, 6),
        (stack(Averaging(), transformer(9), pyramid(transformer(5))), 8, 36),
        (stack(Averaging(), transformer(12)), 4, 40),
    ],
)
def test_stride_and_length(encoder, stride, max_length):
    assert encoder.stride == stride
    assert encoder.max_length == max_length
    memory, _ = encoder(np.ones((1, 2 * stride, 4), "float32"))
    assert memory.shape[1] == 2


def test_the_mask_is_the_sources_unless_told_otherwise():
    mask = np.array([[True, False]])
    assert Averaging().compute_mask(None, mask) == (mask, None)


@keras.saving.register_keras_serializable("tests")
class Pairing(k2s.layers.Encoder):
    """Sums of two neighbours. It asks for sizes wherever it can."""

    stride = 2

    def call(self, inputs, mask=None, training=False):
        if mask is not None:
            shown = ops.expand_dims(mask, -1)
            inputs = ops.where(shown, inputs, ops.zeros_like(inputs))
        return ops.sum(self.pairs(inputs), axis=2), {}

    def compute_memory_mask(self, inputs, mask=None):
        return None if mask is None else ops.any(self.pairs(mask), axis=2)

    def pairs(self, x):
        batch, length = ops.shape(x)[:2]
        odd = length % 2
        x = ops.concatenate([x, ops.zeros_like(x[:, :odd])], axis=1)
        shape = (batch, (length + odd) // 2, 2, *x.shape[2:])
        return ops.reshape(x, shape)

    def compute_output_shape(self, inputs_shape):
        batch, length, dim = inputs_shape
        return (batch, length and (length + 1) // 2, dim), {}


def bare_decoder():
    cell = k2s.layers.LuongCell(keras.layers.GRUCell(3))
    return k2s.layers.RecurrentDecoder(cell, bridge="mean")


def test_an_encoder_that_asks_for_sizes():
    model = k2s.models.Seq2Seq(Pairing(), bare_decoder(), **SIZES)
    k2s.testing.run_model_test(shaken(model), policies=())


@keras.saving.register_keras_serializable("tests")
class Blind(k2s.layers.IdentityEncoder):
    """All of the memory is real, padding too."""

    def compute_memory_mask(self, inputs, mask=None):
        return None


def test_an_encoder_without_a_mask():
    model = k2s.models.Seq2Seq(Blind(), bare_decoder(), **SIZES)
    ids = np.array([[4, 5, 0]])
    memory, mask, _ = model.encode({"encoder_token_ids": ids})
    assert tuple(memory.shape) == (1, 3, 4) and mask is None


def test_a_layer_that_is_no_encoder():
    with pytest.raises(TypeError, match="`encoder` must be.*Encoder"):
        k2s.models.Seq2Seq(
            keras.layers.Dense(3),
            bare_decoder(),
            **SIZES,
        )
