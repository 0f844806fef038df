import numpy as np
from keras import ops

from keras_seq2seq.ops import length_mask
from keras_seq2seq.tasks.served_input import ServedInput
from keras_seq2seq.tasks.served_source import ServedSource


class ServedArrays(ServedSource):
    """Sources of any kind: requests contain the input arrays of the model.

    There is one array for each source of the model, as from the task's
    `batch_sources`. A source of any length has another input with the lengths
    of its rows, such as `encoder_lengths` for the source `encoder`. Values
    after them are ignored. An example is a dict with the arrays of one row.

    Args:
        task, max_length, asset_folder: As for `ServedSource`.
    """

    def __init__(self, task, max_length, asset_folder):
        super().__init__(task, max_length, asset_folder)
        self.sources = [*task.model.sources.values()]
        for source in self.sources:
            _check_mask(source)

    @property
    def inputs(self):
        found = {}
        for source in self.sources:
            tensor = source.inputs()[source.input_name]
            found[source.input_name] = ServedInput(
                tensor.dtype, tuple(tensor.shape[1:]), _meaning(source)
            )
            if source.can_be_padded:
                found[_lengths(source)] = ServedInput(
                    "int32", meaning=f"lengths of {source.input_name}"
                )
        return found

    def read(self, inputs):
        found, lengths = {}, None
        for source in self.sources:
            values, lengths = inputs[source.input_name], None
            if source.can_be_padded:
                values, lengths = cut(
                    values,
                    inputs[_lengths(source)],
                    self.max_length,
                    _pad(source),
                )
            found[source.input_name] = values
            if source.use_padding_mask:
                found[source.mask_name] = length_mask(
                    lengths, ops.shape(values)[1]
                )
        # With several sources, the encoder determines the memory's length.
        return found, lengths if len(self.sources) == 1 else None

    def examples(self, sources):
        sources = self.task.check_sources(sources, "examples")
        rows = self.task.encode_source(sources, "examples")
        return [self._example(row) for row in rows]

    def _example(self, row):
        inputs = self.task.batch_sources([row], max(len(row), 1))
        found = {}
        for source in self.sources:
            (values,) = inputs[source.input_name]
            if source.can_be_padded:
                (length,) = ops.convert_to_numpy(source.lengths(inputs))
                values = values[:length]
            found[source.input_name] = np.asarray(values)
        return found

    def made_up(self, length):
        found = {}
        for source in self.sources:
            spec = self.inputs[source.input_name]
            shape = [length if size is None else size for size in spec.shape]
            last = (source.vocabulary_size or 1) - 1  # no padding
            found[source.input_name] = np.full(shape, last, spec.dtype)
        return found

    def length(self, example):
        sizes = [
            len(example[source.input_name])
            for source in self.sources
            if source.can_be_padded
        ]
        return max(sizes, default=1)

    def request(self, examples):
        found = {}
        for source in self.sources:
            rows = [example[source.input_name] for example in examples]
            lengths = [len(row) for row in rows]
            spec = self.inputs[source.input_name]
            shape = [1 if size is None else size for size in spec.shape]
            if source.can_be_padded:
                found[_lengths(source)] = np.array(lengths, "int32")
                shape[0] = max([*lengths, 1])
            values = np.full((len(rows), *shape), _pad(source), spec.dtype)
            for place, row in enumerate(rows):
                values[place, : len(row)] = row
            found[source.input_name] = values
        return found


def cut(values, lengths, max_length, pad):
    """Truncate values to the longest length, and pad after each length.

    Args:
        values: Tensor of shape `(batch_size, length, ...)`.
        lengths: Integers of shape `(batch_size,)`. Values out of range are
            clipped.
        max_length: Integer.
        pad: Number. The padding value.

    Returns:
        Tensor of shape `(batch_size, longest, ...)`, with at least one
        position, and lengths of shape `(batch_size,)`.
    """
    lengths = ops.minimum(lengths, ops.shape(values)[1])
    lengths = ops.maximum(ops.minimum(lengths, max_length), 0)
    longest = ops.maximum(ops.max(lengths), 1)
    rest = [[0, 0]] * (len(values.shape) - 2)
    values = ops.pad(values, [[0, 0], [0, 1], *rest])[:, :longest]
    real = length_mask(lengths, longest)
    for _ in rest:
        real = ops.expand_dims(real, -1)
    return ops.where(real, values, ops.cast(pad, values.dtype)), lengths


def _check_mask(source):
    masked = source.use_padding_mask or source.vocabulary_size is not None
    if source.can_be_padded and not masked:
        raise ValueError(
            "A served source of any length must have a mask, since a server "
            "pads the requests that it batches. Received: the source "
            f"`{source.input_name}` without one. Set "
            "`use_padding_mask=True`."
        )


def _lengths(source):
    return f"{source.name}_lengths"


def _pad(source):
    return getattr(source, "pad_token_id", 0)


def _meaning(source):
    axes = ", ".join(map(str, source.axes[1:]))
    if source.vocabulary_size is None:
        return f"values of shape ({axes})"
    return f"token ids below {source.vocabulary_size} of shape ({axes})"
