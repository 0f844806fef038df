import keras


class MemoryMask(keras.Operation):
    """The mask of an encoder's memory, as one node of a functional model.

    In a functional model sizes are `None`. In here an encoder sees tensors,
    whose sizes it may read.

    Args:
        encoder: `Encoder`.
    """

    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder

    def call(self, inputs, mask):
        """List of the mask, or of nothing: an output must be a tensor."""
        memory_mask = self.encoder.compute_memory_mask(inputs, mask)
        return [] if memory_mask is None else [memory_mask]
