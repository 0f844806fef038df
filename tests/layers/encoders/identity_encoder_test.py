import numpy as np
from keras import ops

from keras_seq2seq.layers import IdentityEncoder
from keras_seq2seq.testing import run_encoder_test


def test_gives_what_it_gets():
    encoder = IdentityEncoder()
    run_encoder_test(encoder)
    inputs, mask = ops.ones((2, 3, 4)), ops.ones((2, 3), "bool")
    memory, states = encoder(inputs, mask=mask)
    np.testing.assert_array_equal(
        ops.convert_to_numpy(memory), np.ones((2, 3, 4))
    )
    assert states == {}
    assert encoder.compute_mask(inputs, mask)[0] is mask
