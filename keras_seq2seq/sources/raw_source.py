import keras

from keras_seq2seq.sources.source import Source
from keras_seq2seq.utils.sizes import check_dimension


@keras.saving.register_keras_serializable("keras_seq2seq")
class RawSource(Source):
    """A source of floats `(batch_size, *shape)`: audio, images, vectors.

    Args:
        shape: Tuple. The shape of one source, such as `(None, 40)` for any
            number of frames with 40 features, or `(224, 224, 3)` for an image.
        name, use_padding_mask: As for `Source`.

    Example:

    >>> source = k2s.sources.RawSource((None, 40), use_padding_mask=True)
    >>> sorted(source.inputs())
    ['encoder_inputs', 'encoder_padding_mask']
    """

    def __init__(self, shape, **kwargs):
        super().__init__(**kwargs)
        self.shape = _check_shape(shape)

    @property
    def is_sequence(self):
        """Whether the source has the shape `(length, dim)`."""
        return len(self.shape) == 2

    @property
    def input_name(self):
        return f"{self.name}_inputs"

    @property
    def input_settings(self):
        return {"shape": self.shape}

    @property
    def axes(self):
        if self.is_sequence:
            return "batch_size", self.length_axis, *self.shape[1:]
        return "batch_size", *self.shape

    def lengths(self, inputs):
        if not self.is_sequence:
            raise ValueError(
                "Only a source of shape (length, dim) has a length. Received: "
                f"the source `{self.input_name}` of shape {self.shape}. Do "
                "not use constraints or penalties that need a source length, "
                "such as `LengthRatio` and `BrevityPenalty`."
            )
        return super().lengths(inputs)

    def get_config(self):
        return {**super().get_config(), "shape": self.shape}


def _check_shape(shape):
    if not isinstance(shape, (list, tuple)) or not shape:
        raise ValueError(
            "`shape` must be a tuple, such as (None, 40). Received: "
            f"shape={shape!r}"
        )
    for index, size in enumerate(shape):
        if size is not None:
            check_dimension(size, f"shape[{index}]")
    return tuple(shape)
