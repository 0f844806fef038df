import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import TiedOutput
from keras_seq2seq.layers import TokenEmbedding
from keras_seq2seq.testing import run_serialization_test

INPUTS = np.random.default_rng(0).normal(size=(2, 3, 4)).astype("float32")


def test_against_numpy():
    embedding = TokenEmbedding(9, 4)
    layer = TiedOutput(embedding)
    logits = ops.convert_to_numpy(layer(INPUTS))
    (table,) = embedding.get_weights()
    np.testing.assert_allclose(logits, INPUTS @ table.T, atol=1e-6)
    assert len(layer.trainable_variables) == 1


def test_passes_the_mask_on():
    masked = keras.layers.Masking()(INPUTS * np.array([1, 1, 0])[:, None])
    logits = TiedOutput(TokenEmbedding(9, 4))(masked)
    mask = ops.convert_to_numpy(logits._keras_mask)
    assert mask.tolist() == [[True, True, False]] * 2


def test_serialization_and_errors():
    run_serialization_test(TiedOutput(TokenEmbedding(9, 4, pad_token_id=3)))
    with pytest.raises(ValueError, match="width, 5. Received: .* width 4"):
        TiedOutput(TokenEmbedding(9, 5))(INPUTS)
    with pytest.raises(TypeError, match="`embedding` must be a `Embedding`"):
        TiedOutput(keras.layers.Dense(3))
