"""A file saved here loads in a new process, under each backend."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.models import gru_model
from tests.helpers.models import lstm_model
from tests.helpers.models import shaken

ROOT = pathlib.Path(__file__).parents[2]
MODELS = {"gru": gru_model, "lstm": lstm_model}
# No custom objects: importing the package registers them.
LOAD = """
import keras
import numpy as np

import keras_seq2seq

for name in ("gru", "lstm"):
    model = keras.saving.load_model(f"{name}.keras")
    inputs = dict(np.load("inputs.npz"))
    np.save(f"{name}.npy", keras.ops.convert_to_numpy(model(inputs)))
"""


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A folder of models and inputs, and their logits here."""
    folder, logits = tmp_path_factory.mktemp("saved"), {}
    for name, make in MODELS.items():
        model = shaken(make())
        inputs, _, _ = model_batch(model)
        logits[name] = model.predict_on_batch(inputs)
        model.save(folder / f"{name}.keras")
    np.savez(folder / "inputs.npz", **inputs)
    return folder, logits


@pytest.mark.parametrize("backend", ["tensorflow", "jax", "torch"])
def test_loads_under(backend, saved):
    if importlib.util.find_spec(backend) is None:
        pytest.skip(f"{backend} is not installed")
    folder, logits = saved
    subprocess.run(
        [sys.executable, "-c", LOAD],
        cwd=folder,
        check=True,
        env={**os.environ, "KERAS_BACKEND": backend, "PYTHONPATH": str(ROOT)},
    )
    for name, expected in logits.items():
        np.testing.assert_allclose(
            np.load(folder / f"{name}.npy"), expected, atol=1e-4
        )
