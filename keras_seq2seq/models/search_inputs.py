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


def search_inputs(names, model, inputs, memory, memory_mask):
    """Dict of what is asked for of `source_lengths` and `memory_mask`.

    Args:
        names: The data inputs that a search asks for.
        model: `Seq2Seq`.
        inputs: Dict of its inputs.
        memory, memory_mask: Of `model.encode`.
    """
    known = {}
    if "source_lengths" in names:
        known["source_lengths"] = model.source.lengths(inputs)
    if "memory_mask" in names:
        if memory_mask is None:
            memory_mask = ops.ones(ops.shape(memory)[:2], "bool")
        known["memory_mask"] = memory_mask
    return known
