"""A small batch for any `Seq2Seq`: mixed lengths, one source all padding."""

import numpy as np

START, END = 1, 2
SOURCE_LENGTHS = np.array([5, 3, 0, 1])
TARGET_LENGTHS = np.array([4, 2, 3, 1])


def model_batch(model, seed=0):
    """Inputs, targets and sample weights for `model`."""
    rng = np.random.default_rng(seed)
    inputs = {}
    for source in model.sources.values():
        inputs |= _source_batch(source, rng)
    pad, size = model.pad_token_id, model.target.vocabulary_size
    target = _ids(rng, TARGET_LENGTHS, size, pad)
    real = np.arange(target.shape[1]) < TARGET_LENGTHS[:, None]
    shifted = np.hstack([np.full_like(target[:, :1], START), target[:, :-1]])
    inputs[model.target.input_name] = np.where(real, shifted, pad)
    return inputs, np.where(real, target, pad), real.astype("float32")


def _source_batch(source, rng):
    """Dict of the arrays of one source."""
    real = source_mask(len(SOURCE_LENGTHS), SOURCE_LENGTHS.max())
    if source.vocabulary_size is None:
        shape = source.input_settings["shape"]
        sizes = [real.shape[1] if size is None else size for size in shape]
        values = rng.normal(size=(len(real), *sizes)).astype("float32")
    else:
        pad, size = source.pad_token_id, source.vocabulary_size
        values = np.where(real, _ids(rng, SOURCE_LENGTHS, size, pad), pad)
    arrays = {source.input_name: values}
    if source.use_padding_mask:
        arrays[source.mask_name] = real
    return arrays


def source_mask(rows, length):
    """Booleans `(rows, length)`, `True` at real positions."""
    return np.arange(length) < np.resize(SOURCE_LENGTHS, (rows, 1))


def _ids(rng, lengths, vocabulary_size, pad_token_id):
    """Random ids that are no special ones where possible."""
    least = min(4, vocabulary_size - 1)
    known = [i for i in range(least, vocabulary_size) if i != pad_token_id]
    shape = (len(lengths), lengths.max())
    return rng.choice(known or [START], shape).astype("int32")


def with_more_padding(model, inputs, targets, weights):
    """The same batch with two more columns where padding is known as such."""
    pad = model.pad_token_id
    padding = {model.target.input_name: pad}
    for source in model.sources.values():
        if source.use_padding_mask:
            padding[source.mask_name] = False
        if source.use_padding_mask or source.vocabulary_size is not None:
            padding[source.input_name] = getattr(source, "pad_token_id", 0)
    inputs = {
        name: _widen(x, padding[name]) if name in padding else x
        for name, x in inputs.items()
    }
    return inputs, _widen(targets, pad), _widen(weights, 0)


def _widen(x, value):
    around = [(0, 0), (0, 2), *[(0, 0)] * (x.ndim - 2)]
    return np.pad(x, around, constant_values=value)
