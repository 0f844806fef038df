"""Sizes in a file of weights, and a limit of the model's size."""

import contextlib
import math
import os
import threading

import h5py
import keras

LOCK = threading.RLock()
SLACK = 2**20  # values, for layers that create more than they keep
OVERHEAD = 2**14  # largest number of bytes for each group and dataset


class WeightsFile:
    """Sizes in a file of weights, read without its values.

    Args:
        path: Path. Other files raise `OSError`.

    Attributes:
        size: Integer. Number of values, including those of the optimizer.
        optimizer_size: Integer. Number of the optimizer's variables.
    """

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            entries = []
            file.visititems(lambda _, x: entries.append(x))
            datasets = [x for x in entries if isinstance(x, h5py.Dataset)]
            self.size = sum(x.size for x in datasets)
            self.optimizer_size = len(file.get("optimizer/vars", ()))
            content = sum(x.nbytes for x in datasets)
        size, most = (
            os.path.getsize(path),
            content + OVERHEAD * (len(entries) + 1),
        )
        if content > size:
            raise OSError("it declares more values than it holds")
        if size > most:
            raise OSError(
                f"it has {size:,} bytes, but its values take {content:,}, and "
                f"{most:,} at most"
            )


@contextlib.contextmanager
def limit_size(size):
    """Context manager that limits the weights of layers built in this thread.

    A layer beyond the limit raises `ValueError` before it allocates memory. The
    limit is twice `size` plus a million.

    Args:
        size: Integer. Number of values in a file of weights.
    """
    thread, left = threading.get_ident(), [2 * size + SLACK]

    def check(layer, shape):
        if threading.get_ident() == thread:
            left[0] -= math.prod(shape or ())
            if left[0] < 0:
                raise ValueError(
                    "A model must not be larger than its file of weights. "
                    f"Received: a file of {size:,} values, and the layer "
                    f"`{layer.name}` with weights of the shape {tuple(shape)}."
                )

    with LOCK:
        add_weight = keras.layers.Layer.add_weight

        def checked_add_weight(layer, *args, **kwargs):
            check(layer, kwargs.get("shape", *args[:1]))
            return add_weight(layer, *args, **kwargs)

        keras.layers.Layer.add_weight = checked_add_weight
        try:
            yield
        finally:
            keras.layers.Layer.add_weight = add_weight
