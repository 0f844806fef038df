"""Values of a request and an answer, as arrays and as JSON."""

import base64

import numpy as np

from keras_seq2seq.export.client.bad_request import BadRequest
from keras_seq2seq.text import to_utf8

PYTHON_TYPES = {bool: "bool", int: "int32", float: "float32"}


def to_array(name, value):
    """Array of a list; strings become bytes, integers int32."""
    if isinstance(value, np.ndarray) and value.dtype.kind not in "OUS":
        return value
    if isinstance(value, (str, bytes)):
        raise TypeError(
            f"The input `{name}` must be a list. Received: {name} of type "
            f"`{type(value).__name__}`. Put a single value into a list."
        )
    value = value.tolist() if isinstance(value, np.ndarray) else value
    leaves = _leaves(value)
    kinds = {bytes if isinstance(x, str) else type(x) for x in leaves}
    if kinds <= {bytes}:
        shape = np.shape(np.array(value, object))
        flat = [to_utf8(x) if isinstance(x, str) else x for x in leaves]
        array = np.empty(len(flat), object)
        array[:] = flat
        return array.reshape(shape)
    if len(kinds) > 1 or not kinds <= PYTHON_TYPES.keys():
        raise TypeError(
            f"The input `{name}` must hold values of one type. Received: "
            f"{name} with values of types {sorted(x.__name__ for x in kinds)}"
        )
    try:
        return np.array(value, PYTHON_TYPES[kinds.pop()])
    except (ValueError, OverflowError) as error:
        raise BadRequest(
            f"The input `{name}` must be rows of equal length. Received: "
            f"{name}, of which no array can be made ({error})."
        ) from error


def _leaves(value):
    if isinstance(value, (list, tuple)):
        return [leaf for entry in value for leaf in _leaves(entry)]
    return [value]


def to_json(array):
    """Lists of an array; bytes that are not UTF-8 as base64."""
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
    """Array of lists; texts are strings."""
    leaves = _leaves(value)
    if None in leaves:
        raise ValueError("a null among the values")
    if any(isinstance(leaf, (str, dict)) for leaf in leaves):
        return np.array(_decoded(value), object)
    return np.array(value)


def _decoded(value):
    if isinstance(value, list):
        return [_decoded(entry) for entry in value]
    if isinstance(value, dict):
        return base64.b64decode(value["b64"]).decode(errors="replace")
    return value
