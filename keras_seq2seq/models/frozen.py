"""Which layers of a model are not trained, by the attributes that hold them.

A layer's config says so of the layer itself, not of those that it makes by
itself, such as `decoder.cell.attention_vector`.
"""

import collections
import contextlib

import keras


def freeze(layer):
    """Train nothing of a layer, what it has built by now included."""
    layer.trainable = True  # TensorFlow skips what seems no change
    layer.trainable = False


@contextlib.contextmanager
def kept_frozen(*parts):
    """Freeze again what was frozen in some layers, with what they build."""
    frozen = [
        layer
        for part in parts
        for layer in part._flatten_layers()
        if not layer.trainable
    ]
    yield
    for layer in frozen:
        freeze(layer)


def frozen_paths(model):
    """Paths of the layers of a model that are frozen: a list of strings.

    What is inside of a frozen layer is frozen with it.
    """
    layers = _layers(model)
    frozen = [path for path, layer in layers.items() if not layer.trainable]
    return [path for path in frozen if path.rpartition(".")[0] not in frozen]


def freeze_paths(model, paths):
    """Freeze the layers at some paths, which `frozen_paths` gave."""
    layers = _layers(model)
    for path in paths:
        if path not in layers:
            raise ValueError(
                "`frozen` must hold paths of layers of the model. Received: "
                f"{path!r}. Does this version make the layer that was frozen?"
            )
        freeze(layers[path])


def _layers(model):
    """Dict of path -> layer: the shortest path of each, such as `cells.0`."""
    found, seen = {}, {id(model)}
    waiting = collections.deque([("", model)])
    while waiting:
        prefix, parent = waiting.popleft()
        for name, layer in _own_layers(parent):
            if id(layer) not in seen:
                seen.add(id(layer))
                found[prefix + name] = layer
                waiting.append((f"{prefix}{name}.", layer))
    return found


def _own_layers(layer):
    """Pairs of name and layer: public attributes, and lists of layers."""
    for name in dir(layer):  # PyTorch keeps layers elsewhere than in `vars`
        is_property = isinstance(getattr(type(layer), name, None), property)
        if not (name.startswith("_") or is_property):
            yield from _layers_in(getattr(layer, name, None), name)


def _layers_in(value, name):
    if isinstance(value, keras.layers.Layer):
        yield name, value
    elif isinstance(value, (list, tuple)):
        for place, entry in enumerate(value):
            yield from _layers_in(entry, f"{name}.{place}")
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from _layers_in(entry, f"{name}.{key}")
