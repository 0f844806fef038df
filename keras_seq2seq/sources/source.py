import abc

import keras
from keras import ops

LENGTHS = {"encoder": "source_length", "decoder": "target_length"}


class Source(abc.ABC):
    """Abstract source: describes an input of a model's encoder.

    It defines the input's name, shape, mask and length. It has no weights: an
    embedding belongs to the model.

    Args:
        name: String. Prefix of the names of the model's inputs, such as
            `"encoder_token_ids"` and `"encoder_padding_mask"`. Defaults to
            `"encoder"`.
        use_padding_mask: Boolean. Whether the model has another input for the
            mask of the source, `True` at real positions. Defaults to `False`.
    """

    vocabulary_size = None  # of a source of token ids

    def __init__(self, name="encoder", *, use_padding_mask=False):
        if not isinstance(name, str) or not name.isidentifier():
            raise ValueError(
                "`name` must be a string of letters, digits and underscores. "
                f"Received: name={name!r}"
            )
        self.name = name
        self.use_padding_mask = use_padding_mask

    @property
    @abc.abstractmethod
    def input_name(self):
        """Name of the model's input, a string."""

    @property
    def mask_name(self):
        """Name of the model's input for the mask, a string."""
        return f"{self.name}_padding_mask"

    @property
    def length_axis(self):
        """Name of the axis of positions, different for each source."""
        return LENGTHS.get(self.name, f"{self.name}_length")

    @property
    @abc.abstractmethod
    def input_settings(self):
        """Dict of arguments for the `keras.Input`."""

    @property
    @abc.abstractmethod
    def axes(self):
        """Tuple of the names and sizes of the input's axes."""

    @property
    def can_be_padded(self):
        """Whether the source is a sequence of any length."""
        return self.input_settings["shape"][:1] == (None,)

    def inputs(self):
        """Dict of name -> `keras.Input`."""
        settings = {self.input_name: self.input_settings}
        if self.use_padding_mask:
            settings[self.mask_name] = {"shape": (None,), "dtype": "bool"}
        return {
            name: keras.Input(name=name, **x) for name, x in settings.items()
        }

    def input_axes(self):
        """Dict of name -> axes of the input and its mask."""
        return {
            self.input_name: self.axes,
            self.mask_name: ("batch_size", self.length_axis),
        }

    def values(self, inputs):
        """Get the tensor of this source from a model's inputs."""
        if self.input_name not in inputs:
            raise ValueError(
                f"Expected the input `{self.input_name}`. Received: "
                f"{sorted(inputs)}"
            )
        return inputs[self.input_name]

    def mask(self, inputs):
        """Mask `(batch_size, source_length)`, or `None` without padding."""
        mask = inputs.get(self.mask_name)
        return self.own_mask(self.values(inputs)) if mask is None else mask

    def own_mask(self, values):
        """Mask computed from the values, or `None`."""
        return None

    def lengths(self, inputs):
        """Number of real positions, integers of shape `(batch_size,)`."""
        mask = self.mask(inputs)
        if mask is None:
            mask = ops.ones(ops.shape(self.values(inputs))[:2], "bool")
        return ops.sum(ops.cast(mask, "int32"), axis=1)

    def get_config(self):
        return {"name": self.name, "use_padding_mask": self.use_padding_mask}

    @classmethod
    def from_config(cls, config):
        return cls(**config)
