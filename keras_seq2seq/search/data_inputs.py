"""The data inputs that the parts of a search ask for."""

from keras import ops

from keras_seq2seq.search.inputs import TABLE
from keras_seq2seq.search.inputs import SearchInput
from keras_seq2seq.utils.axes import check_axes
from keras_seq2seq.utils.token_ids import check_32_bits


def data_inputs(search):
    """Dict of name -> `SearchInput` of all that a call needs."""
    described = [
        x for part in (search, *search.strategies) for x in part.inputs
    ]
    named = [
        TABLE.get(name) or SearchInput(name, (...,), dtype=None)
        for part in search.strategies
        for name in part.input_names
    ]
    return {x.name: x for x in (*named, *described)}


def caller_inputs(search, cure="Describe it.", argument="search"):
    """List of those that no model knows from its source.

    Raises where nothing but a name is known of one.

    Args:
        search: `Search`.
        cure: String, the end of the error: what else helps.
        argument: String, what the caller of this function calls the search.
    """
    inputs = data_inputs(search).values()
    unknown = [x.name for x in inputs if x.dtype is None]
    if unknown:
        raise ValueError(
            "Each input of a search must be described by a `SearchInput`. "
            f"Received: `{argument}` that needs {unknown}. {cure}"
        )
    return [x for x in inputs if not x.from_source]


def checked_inputs(search, inputs, rows):
    """Dict of tensors, or an error where they are not what a call needs.

    Args:
        search: `Search`.
        inputs: Dict of name -> tensor or array.
        rows: Number of sources; anything but an integer is not known yet.
    """
    known = data_inputs(search)
    missing = [name for name in known if name not in inputs]
    if missing:
        raise ValueError(
            f"The search needs the inputs {list(known)}. Received: "
            f"inputs={sorted(inputs)}. Add {missing}, with the batch in front."
        )
    tensors = {}
    for name, entry in known.items():
        x = inputs[name]
        if entry.dtype == "int32" and not ops.is_tensor(x):
            check_32_bits(x, name)  # a backend would cut them
        x = ops.convert_to_tensor(x)
        tensors[name] = ops.cast(x, entry.dtype) if entry.dtype else x
    for part in (search, *search.strategies):
        part.check_inputs(tensors, search.max_length)
    for name, x in tensors.items():
        check_axes({name: x}, {name: known[name].axes})
        if isinstance(rows, int) and x.shape[0] not in (None, rows):
            raise ValueError(
                f"`{name}` must have one row a source, {rows}. Received: "
                f"{name} of shape {tuple(x.shape)}"
            )
    return tensors
