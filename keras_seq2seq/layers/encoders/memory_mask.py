import keras


class MemoryMask(keras.Operation):
    """The mask of an encoder's memory, as a node of a functional model.

    Sizes are `None` while a functional model is built. Inside this operation
    the encoder sees tensors, whose sizes it can read.

    Args:
        encoder: `Encoder`.
    """

    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder

    def call(self, inputs, mask):
        """List with the mask, empty without one: outputs must be tensors."""
        memory_mask = self.encoder.compute_memory_mask(inputs, mask)
        return [] if memory_mask is None else [memory_mask]


def memory_mask_of(encoder, inputs, mask):
    """The mask of an encoder's memory, among those of all its outputs."""
    masks = encoder.compute_mask(inputs, mask)
    return masks[0] if isinstance(masks, (list, tuple)) else masks
