import keras
from keras import ops


class Position(keras.layers.Layer):
    """Abstract position: how a Transformer knows the order of its inputs.

    A subclass fills `call`, what is added to the inputs; or `rotation`, how
    queries and keys are turned before they meet; or `bias`, what is added to
    the energies of self-attention. Positions count from the first column, so
    padding belongs at the end. `max_length` is the number of positions, `None`
    where it has no limit.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, length, dim)`.
        first: Integer or integer scalar, the position of the first input; or
            integers of shape `(batch_size,)`.

    Returns:
        Float tensor of the shape of `inputs`.
    """

    max_length = None

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True

    def build_for(self, inputs_shape, num_heads):
        """Build it for blocks with `num_heads` heads, unless it is built."""
        if not self.built:
            self.build(inputs_shape)

    def call(self, inputs, first=0):
        return inputs

    def rotation(self, length, head_dim, first=0):
        """Cosines and sines `(2, ..., length, head_dim / 2)`, or `None`."""
        return None

    def bias(self, query_length, key_length, first=0, *, is_causal=False):
        """What is added to the energies of self-attention, in all blocks.

        Args:
            query_length: Integer or integer scalar, number of queries.
            key_length: Integer or integer scalar; keys are at the positions
                `0 .. key_length - 1`.
            first: Integer or integer scalar, where the first query is; or
                integers of shape `(batch_size,)`.
            is_causal: Boolean. Whether no query sees a later position.

        Returns:
            Float tensor of shape `(..., num_heads, query_length, key_length)`
            with the batch in front for a vector `first`, or `None`.
        """
        return None

    def check_length(self, length):
        """Raise unless there are room for `length` positions."""
        limit = self.max_length
        if limit is not None and isinstance(length, int) and length > limit:
            raise ValueError(
                "A sequence must not be longer than its positions, "
                f"max_length={limit}. Received: length={length}. Cut it, lower "
                "the `max_length` of the search, or use "
                "position='sinusoidal', which has no limit."
            )

    def compute_output_shape(self, inputs_shape, first_shape=None):
        return inputs_shape


def positions(length, first):
    """Integers `(length,)`, or `(batch_size, length)` for a vector `first`."""
    if len(getattr(first, "shape", ())):
        first = ops.expand_dims(ops.cast(first, "int32"), 1)
    return ops.arange(length, dtype="int32") + first


def angles(length, first, rates):
    """Float32 tensor `(..., length, len(rates))`: position times rate."""
    where = ops.cast(positions(length, first), "float32")
    return ops.expand_dims(where, -1) * ops.convert_to_tensor(rates, "float32")
