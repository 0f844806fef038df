import keras

from keras_seq2seq.ops import padding_mask
from keras_seq2seq.utils.sizes import check_dimension
from keras_seq2seq.utils.sizes import check_fits


@keras.saving.register_keras_serializable("keras_seq2seq")
class TokenEmbedding(keras.layers.Embedding):
    """Embedding with a configurable padding id, at which its mask is `False`.

    Args:
        vocabulary_size: Integer. Number of token ids.
        embedding_dim: Integer. Width of a token's vector.
        pad_token_id: Integer. The id that counts as padding. Defaults to `0`.

    Call arguments:
        token_ids: Integer tensor of shape `(batch_size, length)`.

    Returns:
        Float tensor of shape `(batch_size, length, embedding_dim)`.

    Example:

    >>> embedding = k2s.layers.TokenEmbedding(10, 4, pad_token_id=9)
    >>> tuple(embedding(np.array([[1, 2, 9]])).shape)
    (1, 3, 4)
    """

    def __init__(self, vocabulary_size, embedding_dim, pad_token_id=0, **kw):
        check_dimension(vocabulary_size, "vocabulary_size")
        check_dimension(embedding_dim, "embedding_dim")
        sizes = {
            "vocabulary_size": vocabulary_size,
            "embedding_dim": embedding_dim,
        }
        check_fits("The embeddings of a vocabulary", sizes)
        super().__init__(vocabulary_size, embedding_dim, **kw)
        self.supports_masking = True
        self.pad_token_id = pad_token_id

    def compute_mask(self, inputs, mask=None):
        return padding_mask(inputs, self.pad_token_id)

    def get_config(self):
        config = super().get_config()
        for name in ("input_dim", "output_dim", "mask_zero"):
            config.pop(name)
        return {
            **config,
            "vocabulary_size": self.input_dim,
            "embedding_dim": self.output_dim,
            "pad_token_id": self.pad_token_id,
        }
