import keras

from keras_seq2seq.layers.encoders.memory_mask import MemoryMask


class Encoder(keras.layers.Layer):
    """Abstract encoder: from a source to the memory and final states.

    A subclass fills `call` and `compute_output_shape`; and
    `compute_memory_mask`, where the mask of the memory is not that of the
    source. Its attributes say what a model has to know:

    - `max_length`: integer, the longest source; `None` for any length.
    - `stride`: integer, how many positions of the source one position of the
      memory stands for; `None` where there is no such order.
    - `embeds_token_ids`: boolean. Whether the encoder takes token ids and
      embeds them itself. It then has a `vocabulary_size`, or `None`.
    - `has_self_attention`: boolean. Whether `call` takes
      `return_attention_scores`, and then gives, third, a dict of layer ->
      attention scores of shape `(batch_size, num_heads, Tv, Tv)`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, source_length, dim)`, or
            whatever the encoder reads.
        mask: Boolean tensor of shape `(batch_size, source_length)`, `True` at
            real positions, or `None`.
        training: Boolean.

    Returns:
        Memory, of shape `(batch_size, Tv, value_dim)`, and a dict of the final
        states by direction, which may be empty.
    """

    max_length = None
    stride = 1
    embeds_token_ids = False
    has_self_attention = False

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True

    def compute_memory_mask(self, inputs, mask=None):
        """Mask of the memory, `(batch_size, Tv)`, or `None`."""
        return mask

    def compute_mask(self, inputs, mask=None):
        """Mask of the memory; the states have none."""
        kind = type(self).compute_memory_mask
        if kind is Encoder.compute_memory_mask or not _symbolic(inputs, mask):
            return self.compute_memory_mask(inputs, mask), None
        found = MemoryMask(self)(inputs, mask)
        return (found[0] if found else None), None


def _symbolic(*nested):
    """Whether a tensor of a functional model is among nested ones."""
    return any(
        isinstance(x, keras.KerasTensor) for x in keras.tree.flatten(nested)
    )
