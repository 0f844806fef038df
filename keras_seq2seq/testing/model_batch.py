"""A small batch for any `Seq2Seq`: mixed lengths, one source all padding."""

import numpy as np

START, END = 1, 2
SOURCE_LENGTHS = np.array([5, 3, 0, 1])
TARGET_LENGTHS = np.array([4, 2, 3, 1])


def model_batch(model, seed=0):
    """Inputs, targets and sample weights for `model`."""
    rng = np.random.default_rng(seed)
    pad, source_pad = model.pad_token_id, model.source_pad_token_id
    sizes = model.sizes
    source = _ids(
        rng, SOURCE_LENGTHS, sizes["source_vocabulary_size"], source_pad
    )
    target = _ids(rng, TARGET_LENGTHS, sizes["target_vocabulary_size"], pad)
    real = np.arange(target.shape[1]) < TARGET_LENGTHS[:, None]
    shifted = np.hstack([np.full_like(target[:, :1], START), target[:, :-1]])
    inputs = {
        "encoder_token_ids": np.where(source < 0, source_pad, source),
        "decoder_token_ids": np.where(real, shifted, pad),
    }
    if model.use_padding_mask:
        inputs["encoder_padding_mask"] = source >= 0
    return inputs, np.where(real, target, pad), real.astype("float32")


def _ids(rng, lengths, vocabulary_size, pad_token_id):
    """Random ids that are no special ones where possible; -1 after them."""
    least = min(4, vocabulary_size - 1)
    known = [i for i in range(least, vocabulary_size) if i != pad_token_id]
    shape = (len(lengths), lengths.max())
    token_ids = rng.choice(known or [START], shape).astype("int32")
    return np.where(np.arange(shape[1]) < lengths[:, None], token_ids, -1)


def with_more_padding(model, inputs, targets, weights):
    """The same batch with two more columns on every side."""
    pad = model.pad_token_id
    values = {
        "encoder_token_ids": model.source_pad_token_id,
        "decoder_token_ids": pad,
        "encoder_padding_mask": False,
    }
    inputs = {name: _widen(x, values[name]) for name, x in inputs.items()}
    return inputs, _widen(targets, pad), _widen(weights, 0)


def _widen(x, value):
    return np.pad(x, ((0, 0), (0, 2)), constant_values=value)


def rows_of(nested, rows):
    """Some rows of the arrays of a dict."""
    return {name: x[rows] for name, x in nested.items()}
