"""The mask of an attention layer."""

from keras import ops

from keras_seq2seq.ops import causal_mask
from keras_seq2seq.ops import joint_mask


def compute_attention_mask(
    query, value, value_mask, attention_mask, use_causal_mask
):
    """Combine the masks of an attention layer's call, or return `None`.

    Raises where a mask does not fit, as far as shapes are known.
    """
    rows, length = query.shape[:2]
    positions = value.shape[1]
    _check("value_mask", value_mask, (rows, positions))
    _check("attention_mask", attention_mask, (rows, length, positions))
    causal = None
    if use_causal_mask:
        causal = causal_mask(ops.shape(query)[1], ops.shape(value)[1])
    return joint_mask(value_mask, attention_mask, causal)


AXES = {
    "value_mask": "(batch_size, Tv)",
    "attention_mask": "(batch_size, Tq, Tv)",
}


def _check(name, mask, shape):
    if mask is None:
        return
    given = tuple(mask.shape)
    known = [pair for pair in zip(given, shape) if None not in pair]
    if len(given) != len(shape) or any(a != b for a, b in known):
        raise ValueError(
            f"`{name}` must be of shape {AXES[name]}, {shape}. Received: "
            f"{name} of shape {given}. A mask for each query is an "
            "`attention_mask`, one for all of them a `value_mask`."
        )
