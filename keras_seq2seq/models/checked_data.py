"""Arrays are checked before they go anywhere."""

import functools

import keras
import numpy as np
from keras import ops

from keras_seq2seq.utils.axes import check_axes
from keras_seq2seq.utils.token_ids import check_32_bits
from keras_seq2seq.utils.token_ids import check_token_ids

LENGTHS = ("source_length", "target_length")
WITH_TARGETS = ("fit", "evaluate", "train_on_batch", "test_on_batch")


def _checked(name):
    """A method of `keras.Model` that checks its arrays first."""

    @functools.wraps(getattr(keras.Model, name))
    def method(self, x=None, *args, **kwargs):
        self.check_data(x)
        if name in WITH_TARGETS:
            self.check_targets(kwargs.get("y", args[0] if args else None))
        validation = kwargs.get("validation_data")
        if isinstance(validation, (list, tuple)):
            self.check_data(validation[0])
            self.check_targets(*validation[1:2])
        return getattr(super(CheckedData, self), name)(x, *args, **kwargs)

    return method


class CheckedData:
    """What a model does with arrays before it runs: shapes agree, ids exist.

    `fit`, `evaluate`, `predict` and their `.._on_batch` variants check all
    arrays at once, by NumPy, on every backend: their shapes must agree, and
    token ids must be in the vocabulary, targets and masked ones too. Of
    datasets and generators the shapes are compared batch by batch. Their ids
    are not checked, which would slow down every step: `BucketedDataset` checks
    its own.

    A subclass fills `input_axes` and `vocabulary_sizes`.
    """

    def input_axes(self):
        """Dict of name -> axes of the inputs, as for `check_axes`."""
        raise NotImplementedError

    def vocabulary_sizes(self):
        """Dict of name -> size, for those inputs that hold token ids."""
        raise NotImplementedError

    def check_data(self, x):
        """Raise unless arrays fit the model, and each other.

        Args:
            x: Dict of name -> array or tensor; one alone is the source.
                Anything else, such as a dataset, is left alone.
        """
        x = x if isinstance(x, dict) else {next(iter(self.input_axes())): x}
        arrays = {name: _array(value) for name, value in x.items()}
        check_axes(arrays, self.input_axes())
        _check_not_empty(arrays, self.input_axes())
        sizes = self.vocabulary_sizes()
        for name, array in arrays.items():
            if array is not None and name in sizes:
                check_token_ids(array, name, sizes[name])
            elif array is not None and array.dtype.kind in "iu":
                if not np.can_cast(array.dtype, "int32"):
                    check_32_bits(array, name)  # a backend would cut them

    def check_targets(self, y=None):
        """Raise unless an array of targets holds ids of the vocabulary."""
        array = None if y is None else _array(y)
        size = self.vocabulary_sizes().get("decoder_token_ids")
        if array is not None and size is not None:
            check_token_ids(array, "y", size)

    fit = _checked("fit")
    evaluate = _checked("evaluate")
    predict = _checked("predict")
    train_on_batch = _checked("train_on_batch")
    test_on_batch = _checked("test_on_batch")
    predict_on_batch = _checked("predict_on_batch")


def _check_not_empty(arrays, axes):
    """Raise unless source and target have a place, padding where nothing is."""
    for name, array in arrays.items():
        for axis, size in zip(axes.get(name, ()), getattr(array, "shape", ())):
            if axis in LENGTHS and size == 0:
                raise ValueError(
                    f"`{name}` must have a {axis} of at least 1. Received: "
                    f"{name} of shape {array.shape}. Where there is nothing, "
                    "give one column of padding."
                )


def _array(value):
    """An array or tensor as NumPy has it; `None` for what is neither."""
    if ops.is_tensor(value):
        return ops.convert_to_numpy(value)
    return np.asarray(value) if hasattr(value, "__array__") else None
