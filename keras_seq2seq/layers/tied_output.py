import keras
from keras import ops

from keras_seq2seq.ops import product
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_type


@keras.saving.register_keras_serializable("keras_seq2seq")
class TiedOutput(keras.layers.Layer):
    """Output layer over a vocabulary that shares an embedding's weights.

    `logits = E x`, where the rows of `E` are the vectors of the tokens. The
    mask of the inputs is passed on.

    Args:
        embedding: `keras.layers.Embedding`, such as `TokenEmbedding`.

    Call arguments:
        inputs: Float tensor of shape `(..., embedding_dim)`.

    Returns:
        Float tensor of shape `(..., vocabulary_size)`.

    Example:

    >>> embedding = k2s.layers.TokenEmbedding(10, 4)
    >>> output_layer = k2s.layers.TiedOutput(embedding)
    >>> tuple(output_layer(embedding(np.array([[1, 2, 9]]))).shape)
    (1, 3, 10)

    References:
        - [Press and Wolf, 2017](https://arxiv.org/abs/1608.05859)
    """

    def __init__(self, embedding, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True
        self.embedding = check_type(
            registry.object_of(embedding), "embedding", keras.layers.Embedding
        )

    def build(self, inputs_shape):
        if inputs_shape[-1] != self.embedding.output_dim:
            raise ValueError(
                "The inputs of a tied output layer must have the embedding's "
                f"width, {self.embedding.output_dim}. Received: inputs of "
                f"width {inputs_shape[-1]}. Change `embedding_dim` or the "
                "readout, or do not tie the weights."
            )
        if not self.embedding.built:
            self.embedding.build()

    def call(self, inputs):
        return product(inputs, ops.transpose(self.embedding.embeddings))

    def compute_output_shape(self, inputs_shape):
        return (*inputs_shape[:-1], self.embedding.input_dim)

    def get_config(self):
        embedding = keras.saving.serialize_keras_object(self.embedding)
        return {**super().get_config(), "embedding": embedding}
