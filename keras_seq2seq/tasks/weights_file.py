"""What a file of weights holds, and a model that must not be larger."""

import contextlib
import math
import os
import threading

import h5py
import keras

LOCK = threading.RLock()
SLACK = 2**20  # values, for layers that build more than they keep
OVERHEAD = 2**14  # bytes a file has at most for each group and dataset


class WeightsFile:
    """Sizes in a file of weights, read without its values.

    Args:
        path: Path. `OSError` where it is no such file.

    Attributes:
        size: Integer. Number of values, those of the optimizer too.
        optimizer_size: Integer. Number of the optimizer's variables.
    """

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            found = []
            file.visititems(lambda _, x: found.append(x))
            datasets = [x for x in found if isinstance(x, h5py.Dataset)]
            self.size = sum(x.size for x in datasets)
            self.optimizer_size = len(file.get("optimizer/vars", ()))
            held = sum(x.nbytes for x in datasets)
        size, most = os.path.getsize(path), held + OVERHEAD * (len(found) + 1)
        if held > size:
            raise OSError("it says that it holds more than it does")
        if size > most:
            raise OSError(
                f"it has {size:,} bytes, where what it holds takes {held:,}, "
                f"and {most:,} at most"
            )


@contextlib.contextmanager
def no_larger_than(size):
    """Layers that this thread builds in the block fit into a file of weights.

    The one that does not raises `ValueError` before it takes memory. Twice
    the size is allowed, and a million.

    Args:
        size: Integer. Number of values in the file.
    """
    thread, left = threading.get_ident(), [2 * size + SLACK]

    def check(layer, shape):
        if threading.get_ident() == thread:
            left[0] -= math.prod(shape or ())
            if left[0] < 0:
                raise ValueError(
                    "A model must not be larger than its file of weights. "
                    f"Received: a file of {size:,} numbers, and the layer "
                    f"`{layer.name}` with weights of the shape {tuple(shape)}."
                )

    with LOCK:
        add_weight = keras.layers.Layer.add_weight

        def checked(layer, *args, **kwargs):
            check(layer, kwargs.get("shape", *args[:1]))
            return add_weight(layer, *args, **kwargs)

        keras.layers.Layer.add_weight = checked
        try:
            yield
        finally:
            keras.layers.Layer.add_weight = add_weight
