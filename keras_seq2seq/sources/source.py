import abc

import keras
from keras import ops

LENGTHS = {"encoder": "source_length", "decoder": "target_length"}


class Source(abc.ABC):
    """Abstract source: one input of a model, in front of its encoder.

    It says what the input is called, which shape and ids it has, which of its
    positions are real, and how long it is. It has no weights: an embedding
    belongs to the model.

    Args:
        name: String. The model's inputs are called after it, such as
            `"encoder_token_ids"` and `"encoder_padding_mask"`. Defaults to
            `"encoder"`.
        use_padding_mask: Boolean. Whether the model takes the mask of the
            source, `True` at real positions, as an input of its own. Defaults
            to `False`.
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
        """Name of the mask, among the model's inputs."""
        return f"{self.name}_padding_mask"

    @property
    def length_axis(self):
        """Name of the axis that counts positions; sources may differ."""
        return LENGTHS.get(self.name, f"{self.name}_length")

    @property
    @abc.abstractmethod
    def input_settings(self):
        """Dict of the arguments of the input's `keras.Input`."""

    @property
    @abc.abstractmethod
    def axes(self):
        """Axes of the input, names and sizes, as for `check_axes`."""

    @property
    def can_be_padded(self):
        """Whether it is a sequence of any length."""
        return self.input_settings["shape"][:1] == (None,)

    def inputs(self):
        """Dict of `keras.Input`, by name."""
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
        """The tensor of this source, out of the inputs of a model."""
        if self.input_name not in inputs:
            raise ValueError(
                f"Expected the input `{self.input_name}`. Received: "
                f"{sorted(inputs)}"
            )
        return inputs[self.input_name]

    def mask(self, inputs):
        """Booleans `(batch_size, source_length)`, or `None` for all real."""
        mask = inputs.get(self.mask_name)
        return self.own_mask(self.values(inputs)) if mask is None else mask

    def own_mask(self, values):
        """The mask that the values tell themselves, or `None`."""
        return None

    def lengths(self, inputs):
        """Integers `(batch_size,)`, the number of real positions."""
        mask = self.mask(inputs)
        if mask is None:
            mask = ops.ones(ops.shape(self.values(inputs))[:2], "bool")
        return ops.sum(ops.cast(mask, "int32"), axis=1)

    def get_config(self):
        return {"name": self.name, "use_padding_mask": self.use_padding_mask}

    @classmethod
    def from_config(cls, config):
        return cls(**config)
