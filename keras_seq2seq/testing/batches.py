"""What batteries are fed with: one rule for all of them.

Their second argument is data of the user's own: a dict of arrays, named as
the part's own call names them; of a model what `fit` takes, of a tokenizer
texts. Without it a battery draws a small batch of mixed lengths, with one row
that is all padding.
"""

import keras
import numpy as np
from keras import ops


def own_batch(batch, default):
    """Nested arrays: `batch`, if it has the names of `default`, or that."""
    if batch is None:
        return default
    if not isinstance(batch, dict) or set(batch) != set(default):
        given = sorted(batch) if isinstance(batch, dict) else type(batch)
        raise ValueError(
            f"`batch` must be a dict of {sorted(default)}, each with the rows "
            f"in front. Received: batch={given}"
        )
    return map_arrays(_array, batch)


def _array(x):
    x = np.asarray(x)
    return x.astype("float32") if x.dtype == "float64" else x


def map_arrays(function, *nested):
    """Nested results of `function`; what is `None` stays so."""
    return keras.tree.map_structure(
        lambda *x: None if x[0] is None else function(*x), *nested
    )


def tensors(nested):
    """Nested tensors of nested arrays."""
    return map_arrays(ops.convert_to_tensor, nested)


def floats_as(nested, dtype):
    """Nested tensors of nested arrays, the floats among them of `dtype`."""

    def cast(x):
        is_float = np.issubdtype(x.dtype, np.floating)
        x = ops.convert_to_tensor(x)
        return ops.cast(x, dtype) if is_float else x

    return map_arrays(cast, nested)


def flat(nested):
    """List of nested arrays, without what is `None`."""
    return [x for x in keras.tree.flatten(nested) if x is not None]


def row_count(nested):
    """Number of rows of nested arrays."""
    return len(flat(nested)[0])


def rows_of(nested, rows):
    """Some rows of nested arrays."""
    return map_arrays(lambda x: x[rows], nested)


def other_rows(count):
    """Indices of some of `count` rows, in another order, one of them twice."""
    return np.array([count - 1, 0, count // 2, 0])


def mixed_mask(length):
    """Mask of four rows, `(4, length)`: one whole, one empty, two between."""
    lengths = np.array([length, (length + 1) // 2, 0, 1])
    return np.arange(length) < lengths[:, None]


def normal(*shape, seed=0):
    """Float32 array of that shape, the same at each call."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=shape).astype("float32")


def other_values(x):
    """Values of the kind of `x`, far from it where they can be."""
    if np.issubdtype(x.dtype, np.integer):
        return x.min() + x.max() - x
    return 100 * x + 7


def widened(x, count, value=None):
    """`x` with `count` more entries on its second axis; they are no zeros."""
    if value is None:
        value = x.min() if np.issubdtype(x.dtype, np.integer) else 7
    around = [(0, 0), (0, count), *[(0, 0)] * (x.ndim - 2)]
    return np.pad(x, around, constant_values=value)
