"""Assertions that the batteries share."""

import pathlib
import tempfile

import keras
import numpy as np
from keras import ops

HALF = ("mixed_float16", "mixed_bfloat16")
# Tiny models: a trace costs more than their steps do. JAX has nothing eager in
# a loop: it would compile each one again.
EAGERLY = keras.backend.backend() != "jax"


def to_numpy(nested):
    """Nested tensors as NumPy arrays; half precision as float32."""

    def convert(x):
        if keras.backend.is_float_dtype(
            keras.backend.standardize_dtype(x.dtype)
        ):
            x = ops.cast(x, "float32")
        return ops.convert_to_numpy(x)

    return keras.tree.map_structure(convert, nested)


def check(condition, message):
    """Raise `AssertionError` unless `condition`."""
    if not condition:
        raise AssertionError(message)


def assert_close(actual, expected, message="", tolerance=1e-5):
    """Equal structures of equal shapes, entries within `tolerance`.

    The tolerance is absolute below 1 and relative above.
    """
    keras.tree.assert_same_structure(actual, expected)
    pairs = zip(keras.tree.flatten(actual), keras.tree.flatten(expected))
    for a, b in pairs:
        np.testing.assert_allclose(
            to_numpy(ops.convert_to_tensor(a)),
            to_numpy(ops.convert_to_tensor(b)),
            atol=tolerance,
            rtol=tolerance,
            err_msg=message,
            strict=True,
        )


def assert_finite(nested, message):
    """No infinity and no NaN in nested tensors."""
    for x in keras.tree.flatten(to_numpy(nested)):
        check(np.all(np.isfinite(x)), f"Not finite: {message}")


def assert_same_hypotheses(actual, expected, message="", tolerance=1e-5):
    """Equal results of a search.

    Scores are within `tolerance`. Token ids and lengths are equal, but for
    hypotheses whose score is within `tolerance` of a neighbour's: there
    rounding decides the order.
    """
    actual, expected = to_numpy(actual), to_numpy(expected)
    assert_close(actual["scores"], expected["scores"], message, tolerance)
    scores = expected["scores"]
    limit = tolerance * np.maximum(1, np.abs(scores))
    far = np.diff(-scores, axis=1) > limit[:, 1:]
    yes = np.ones_like(far[:, :1], shape=(len(scores), 1))
    clear = np.hstack([yes, far]) & np.hstack([far, yes])
    # The last of the list may tie with one that did not make it.
    clear[:, -1] &= scores.shape[1] == 1
    for name in ("token_ids", "lengths"):
        np.testing.assert_array_equal(
            actual[name][clear], expected[name][clear], err_msg=message
        )


def attributes(layer):
    """What a layer and all layers inside it hold, to see whether it stays."""
    return [
        {name: id(value) for name, value in vars(inner).items()}
        for inner in layer._flatten_layers()
    ]


def fresh(instance):
    """A new object, not built, of the same config."""
    return type(instance).from_config(instance.get_config())


def shake(layer):
    """Add noise to all weights: a bias of zero hides what it adds."""
    rng = np.random.default_rng(0)
    layer.set_weights(
        [w + rng.normal(0, 0.3, w.shape) for w in layer.get_weights()]
    )


def assert_same_from_file(model, inputs, outputs):
    """A model that is saved and loaded gives these outputs."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.keras"
        model.save(path)
        loaded = keras.saving.load_model(path)
    check(type(loaded) is type(model), "The file holds another class.")
    new = loaded(inputs)
    if isinstance(outputs, list) and not isinstance(new, list):
        new = [new]  # Keras takes a list of one for that one
    assert_close(new, outputs, "The `.keras` file gives something else.")


def with_policy(config, policy):
    """The config with every dtype policy in it replaced."""
    if isinstance(config, list):
        return [with_policy(entry, policy) for entry in config]
    if not isinstance(config, dict):
        return config
    if config.get("class_name") == "DTypePolicy":
        return {**config, "config": {"name": policy}}
    return {name: with_policy(x, policy) for name, x in config.items()}


def check_state(state, first):
    """A state has the structure, shapes and dtypes of the first one."""
    try:
        keras.tree.assert_same_structure(state, first)
    except (TypeError, ValueError) as error:
        raise AssertionError("The state changes its structure.") from error
    for new, old in zip(keras.tree.flatten(state), keras.tree.flatten(first)):
        known = [
            (tuple(x.shape), keras.backend.standardize_dtype(x.dtype))
            for x in (old, new)
        ]
        check(
            known[0] == known[1],
            f"A state of shape and dtype {known[1]}, and first {known[0]}.",
        )
