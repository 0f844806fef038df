"""Conversion of the values of requests and answers."""

import base64

import numpy as np

from keras_seq2seq.export.client.errors import BadRequest
from keras_seq2seq.text import to_utf8
from keras_seq2seq.text.utf8 import replace_surrogates

PYTHON_TYPES = {bool: "bool", int: "int32", float: "float32"}
MOST_AXES = 32  # of an array of NumPy 1


def to_array(name, value):
    """Convert a list to an array; strings become bytes, integers int32."""
    if not isinstance(value, (list, tuple, np.ndarray)) or (
        not getattr(value, "ndim", True)
    ):
        raise TypeError(
            f"The input `{name}` must be a list. Received: {name} of type "
            f"`{type(value).__name__}`. Put a single value into a list."
        )
    if isinstance(value, np.ndarray) and value.dtype.kind not in "OUS":
        return value
    value = value.tolist() if isinstance(value, np.ndarray) else value
    try:
        return _array(name, *flatten(value))
    except (ValueError, OverflowError) as error:
        raise BadRequest(
            f"The input `{name}` must be rows of equal length, and integers of "
            f"32 bits. Received: {name}, of which no array can be made "
            f"({error})."
        ) from error


def _array(name, shape, leaves):
    kinds = {bytes if isinstance(x, str) else type(x) for x in leaves}
    if kinds <= {bytes}:
        flat = [to_utf8(x) if isinstance(x, str) else x for x in leaves]
        return _objects(flat, shape)
    if len(kinds) > 1 or not kinds <= PYTHON_TYPES.keys():
        raise TypeError(
            f"The input `{name}` must hold values of one type. Received: "
            f"{name} with values of types {sorted(x.__name__ for x in kinds)}"
        )
    return np.array(leaves, PYTHON_TYPES[kinds.pop()]).reshape(shape)


def flatten(value):
    """Shape and values of nested lists; raises `ValueError` if ragged."""
    shape, leaves = [], [value]
    while any(isinstance(x, (list, tuple)) for x in leaves):
        sizes = {
            len(x) if isinstance(x, (list, tuple)) else None for x in leaves
        }
        if len(sizes) > 1:
            raise ValueError("rows of different lengths")
        if len(shape) == MOST_AXES:
            raise ValueError(f"lists nested more than {MOST_AXES} deep")
        shape.append(sizes.pop())
        leaves = [entry for x in leaves for entry in x]
    return shape, leaves


def _objects(values, shape):
    array = np.empty(len(values), object)
    array[:] = values
    return array.reshape(shape)


def to_json(array):
    """Convert an array to lists; bytes that are not UTF-8 become base64."""
    if array.dtype != object:
        return array.tolist()
    return _texts_to_json(array.tolist())


def _texts_to_json(value):
    if isinstance(value, list):
        return [_texts_to_json(entry) for entry in value]
    try:
        return value.decode()
    except UnicodeDecodeError:
        return {"b64": base64.b64encode(value).decode()}


def from_json(value):
    """Convert lists of values of one type to an array of these."""
    shape, leaves = flatten(value)
    kinds = {type(leaf) for leaf in leaves}
    if kinds and kinds <= {str, dict}:
        return _objects(list(map(_text, leaves)), shape)
    array = np.array(leaves)
    if not (kinds <= {int, float} or kinds == {bool}) or array.dtype == object:
        names = sorted(kind.__name__ for kind in kinds)
        raise ValueError(f"null, several types, or too large: {names}")
    return array.reshape(shape)


def _text(value):
    """Read a JSON string or `{"b64": ...}`; surrogates are replaced."""
    if isinstance(value, str):
        return replace_surrogates(value)
    if value.keys() != {"b64"}:
        raise ValueError("an object among the values")
    data = base64.b64decode(value["b64"], validate=True)
    return data.decode(errors="replace")


def texts(array):
    """Decode an array of bytes to strings; others are returned as they are."""
    if array.dtype != object:
        return array
    decoded = [text.decode(errors="replace") for text in array.ravel()]
    return _objects(decoded, array.shape)
