"""Data inputs of a search: what a model knows from its source, and the rest."""

from keras import ops

FROM_SOURCE = ("source_lengths", "memory_mask")
# Shape without the batch, and dtype, of what a caller gives.
FROM_CALLER = {
    "prefix": ((None,), "int32"),
    "seed": ((), "int32"),
    "banned_mask": ((None,), "bool"),
}


def unknown_inputs(search):
    """Names of the data inputs of a search that are its own affair."""
    known = {*FROM_SOURCE, *FROM_CALLER}
    return [name for name in search.input_names if name not in known]


def search_inputs(model, inputs, memory, memory_mask):
    """Dict of `source_lengths` and `memory_mask`.

    Args:
        model: `Seq2Seq`.
        inputs: Dict of its inputs.
        memory, memory_mask: Of `model.encode`.
    """
    source = inputs[model.source_name]
    mask = inputs.get("encoder_padding_mask")
    if mask is None:
        mask = model.source_mask(source)
    if mask is None:
        mask = ops.ones(ops.shape(source)[:2], "bool")
    if memory_mask is None:
        memory_mask = ops.ones(ops.shape(memory)[:2], "bool")
    lengths = ops.sum(ops.cast(mask, "int32"), axis=1)
    return {"source_lengths": lengths, "memory_mask": memory_mask}
