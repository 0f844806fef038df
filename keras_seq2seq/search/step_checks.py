"""What a step function takes and gives: loops demand that nothing changes."""

import numbers

import keras
import numpy as np
from keras import ops

from keras_seq2seq.ops import row_count
from keras_seq2seq.search.size import check_search_size
from keras_seq2seq.search.size import check_states_size
from keras_seq2seq.utils.axes import check_axes
from keras_seq2seq.utils.axes import known_shape
from keras_seq2seq.utils.checks import check_integer
from keras_seq2seq.utils.token_ids import check_32_bits


def checked_special(**token_ids):
    """The ids of start, end and padding, or an error where one is none."""
    return {n: check_integer(x, n, 0) for n, x in token_ids.items()}


def checked_tensors(search, states, cache):
    """Nested tensors with one batch in front, and some of any shape."""
    states = tensors_of(states, "states")
    for state in keras.tree.flatten(states):
        check_axes({"states": state}, {"states": ("batch_size", ...)})
    shapes = [tuple(state.shape) for state in keras.tree.flatten(states)]
    if len({shape[0] for shape in shapes} - {None}) > 1:
        raise ValueError(
            "All `states` must have one batch size in front. Received: states "
            f"of shapes {shapes}. What has other rows belongs to the `cache`."
        )
    check_search_size(search, row_count(states))
    check_states_size(search, states)
    return states, tensors_of(cache, "cache", numbers.Number)


def tensors_of(nested, name, others=()):
    """Nested tensors of nested tensors, arrays and `others`, or an error."""

    def tensor(x):
        if ops.is_tensor(x):
            return x
        if not isinstance(x, (np.ndarray, np.generic, others)):
            raise TypeError(
                f"`{name}` must hold tensors alone. Received: {name} with an "
                f"entry of type `{type(x).__name__}`. Leave it out, or keep it "
                "where the step function finds it."
            )
        return ops.convert_to_tensor(x)

    return keras.tree.map_structure(tensor, nested)


def checked_start(token_ids, start_token_id, rows):
    """The tokens that the first step reads, int32 of shape `(rows,)`."""
    name = "start_token_ids"
    if token_ids is None:
        return ops.full((rows,), start_token_id, "int32")
    if not ops.is_tensor(token_ids):
        token_ids = np.asarray(token_ids)
        if token_ids.dtype.kind in "iu":
            check_32_bits(token_ids, name)
        if token_ids.dtype.kind in "iu" and (token_ids < 0).any():
            raise ValueError(
                f"`{name}` must hold ids of at least 0. Received: {name} with "
                f"{token_ids.min()}"
            )
    dtype = str(token_ids.dtype)
    if "int" not in dtype:
        raise TypeError(
            f"`{name}` must hold integers. Received: {name} of dtype {dtype}"
        )
    size = rows if isinstance(rows, int) else None
    check_axes({name: token_ids}, {name: (size,)})
    return ops.cast(ops.convert_to_tensor(token_ids), "int32")


def checked_step(step):
    """A step function whose first results are checked.

    A compiled loop has no others; where each step runs by itself, a check of
    them all would cost as much as some steps do.
    """
    checked = []

    def checking(token_ids, states, cache, index):
        results = step(token_ids, states, cache, index)
        if not checked:
            check_results(results, token_ids, states, cache)
            checked.append(True)
        return results

    return checking


def check_results(results, token_ids, states, cache):
    """Raise unless a step gives four results of the right form.

    Args:
        results: What the step function gave.
        token_ids, states, cache: What it was given.
    """
    if not isinstance(results, (tuple, list)) or len(results) != 4:
        received = type(results).__name__
        if isinstance(results, (tuple, list)):
            received = f"{received} of {len(results)}"
        raise ValueError(
            "`step` must give four: logits, states, cache and attention "
            f"scores, or `None` for these. Received: a {received}"
        )
    logits, new_states, new_cache, _ = results
    axes = token_ids.shape[0], "vocabulary_size"
    check_axes({"logits": logits}, {"logits": axes})
    check_unchanged(new_states, states, "states")
    check_unchanged(new_cache, cache, "cache")


def checked_floats(x, shape, part):
    """What a part of a search makes of numbers, in float32.

    Args:
        x: What it gave.
        shape: Tuple of what it should be.
        part: `SearchPart`, for the error message.
    """
    name = f"{type(part).__name__}(..)"
    is_tensor = ops.is_tensor(x) or isinstance(x, np.ndarray)
    kind = str(x.dtype) if is_tensor else type(x).__name__
    if not is_tensor or "float" not in kind:
        raise TypeError(f"`{name}` must give floats. Received: {kind}")
    check_axes({name: x}, {name: tuple(shape)})
    return ops.cast(ops.convert_to_tensor(x), "float32")


def check_attended(attention_scores, attended):
    """Raise unless there is attention to each place of the memory."""
    if attention_scores is None:
        raise ValueError(
            "The search needs attention scores `(rows, Tv)` as the fourth "
            "result of `step`. Received: `None`. Leave `coverage_penalty` "
            "out, or use a decoder that attends."
        )
    name, axes = "attention_scores", tuple(attended.shape)
    check_axes({name: attention_scores}, {name: axes})


def check_unchanged(after, before, name, giver="step"):
    """Raise unless nested tensors are what they were, all but their values.

    Args:
        after, before: Nested tensors.
        name, giver: Strings, what they are and who gives them.
    """
    try:
        keras.tree.assert_same_structure(before, after)
    except ValueError as error:
        raise ValueError(
            f"`{giver}` must give `{name}` nested as it received them. "
            f"Received: {_described(after)} after {_described(before)}"
        ) from error
    pairs = zip(keras.tree.flatten(after), keras.tree.flatten(before))
    if not all(_fits(x, y, name) for x, y in pairs):
        raise ValueError(
            f"`{giver}` must give `{name}` of the shapes and dtypes that it "
            f"received. Received: {_described(after)} after "
            f"{_described(before)}"
        )


def _fits(after, before, name):
    """Whether a loop can take it; states are cast, but not to integers."""
    if not hasattr(after, "shape"):
        return False
    shape, expected = known_shape(after), known_shape(before)
    if shape is None or expected is None:  # of unknown rank
        return True
    if len(shape) != len(expected):
        return False
    if any(
        None not in sizes and len(set(sizes)) > 1
        for sizes in zip(shape, expected)
    ):
        return False
    dtype, old = map(
        keras.backend.standardize_dtype, (after.dtype, before.dtype)
    )
    if name != "cache":
        return "float" in old or "float" not in dtype
    return dtype == old


def _described(nested):
    def describe(x):
        if not hasattr(x, "shape"):
            return type(x).__name__
        dtype = keras.backend.standardize_dtype(x.dtype)
        return f"{dtype}{list(x.shape)}"

    return keras.tree.map_structure(describe, nested)
