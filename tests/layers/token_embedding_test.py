import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import TokenEmbedding
from keras_seq2seq.testing import run_serialization_test


def test_battery():
    revived = run_serialization_test(TokenEmbedding(5, 3, pad_token_id=4))
    assert revived.pad_token_id == 4
    assert (revived.input_dim, revived.output_dim) == (5, 3)


def test_looks_up_and_masks():
    embedding = TokenEmbedding(5, 3, pad_token_id=4)
    token_ids = np.array([[1, 4, 0]])
    vectors = embedding(token_ids)
    (table,) = embedding.get_weights()
    np.testing.assert_array_equal(
        ops.convert_to_numpy(vectors), table[token_ids]
    )
    mask = ops.convert_to_numpy(vectors._keras_mask)
    assert mask.tolist() == [[True, False, True]]


@pytest.mark.parametrize("name", ["vocabulary_size", "embedding_dim"])
def test_errors(name):
    sizes = {"vocabulary_size": 5, "embedding_dim": 3, name: 0}
    with pytest.raises(ValueError, match=f"`{name}`.*Received: {name}=0"):
        TokenEmbedding(**sizes)
