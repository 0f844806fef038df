"""Data inputs of a search that a model knows from its source."""

from keras import ops


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
