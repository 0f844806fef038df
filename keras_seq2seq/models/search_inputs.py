"""Data inputs of a search that a model knows from its source."""

from keras import ops


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
