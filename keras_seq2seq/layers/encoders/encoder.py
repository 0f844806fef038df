import keras

from keras_seq2seq.layers.encoders.memory_mask import MemoryMask


class Encoder(keras.layers.Layer):
    """Abstract encoder: computes the memory and final states of a source.

    A subclass implements `call` and `compute_output_shape`, and
    `compute_memory_mask` if the mask of the memory differs from that of the
    source. These attributes describe it to a model:

    - `max_length`: Integer. Length of the longest source, or `None` for any
      length.
    - `stride`: Integer. Number of source positions for each position of the
      memory, or `None` if they do not correspond.
    - `embeds_token_ids`: Boolean. Whether the encoder takes token ids and
      embeds them itself. It then has a `vocabulary_size`, which may be `None`.
    - `has_self_attention`: Boolean. Whether `call` takes
      `return_attention_scores`, with which it also returns a dict of layer ->
      attention scores of shape `(batch_size, num_heads, Tv, Tv)`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, source_length, dim)`, or any
            other input of the encoder.
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
        masks = MemoryMask(self)(inputs, mask)
        return (masks[0] if masks else None), None


def _symbolic(*nested):
    """Whether any of the nested tensors is a `KerasTensor`."""
    return any(
        isinstance(x, keras.KerasTensor) for x in keras.tree.flatten(nested)
    )
