"""TensorFlow's own C++ loader and session on TensorFlow Serving's requests.

This is the path that a stock server takes. What it refuses, Python often takes
without a word: two such models show that the probe can fail.
"""

import os

import keras
import numpy as np
import pytest

from tests.export.processes import run_probe

tf = pytest.importorskip("tensorflow")
if keras.backend.backend() != "tensorflow":
    pytest.skip("exports under TensorFlow", allow_module_level=True)
if os.environ.get("CI") != "true":
    pytest.importorskip("tensorflow_serving")

from tests.export import serving_requests  # noqa: E402

TEXTS = ["keras", "", "attention", "ZZ??", "naïve", "x" * 50]


@pytest.fixture(scope="module")
def ask(probe, tmp_path_factory):
    """Function of a SavedModel and requests: process and responses."""
    folder = tmp_path_factory.mktemp("requests")
    serving_requests.write_descriptors(folder / "descriptors")

    def function(exported, requests):
        serving_requests.write_requests(folder / "requests", requests)
        done = run_probe(
            probe,
            str(exported),
            *(folder / n for n in ("descriptors", "requests", "responses")),
        )
        if done.returncode:
            return done, None
        return done, serving_requests.read_responses(folder / "responses")

    return function


def test_the_server_answers_as_python(ask, exported, serve):
    requests = [(s, TEXTS) for s in ("serving_default", "n_best")]
    requests += [("serving_default", [text]) for text in TEXTS]
    requests += [("", TEXTS + TEXTS[-1:] * 10), ("n_best", [])]
    done, responses = ask(exported, requests)
    assert done.returncode == 0, done.stderr
    assert len(responses) == len(requests)
    for (signature, texts), response in zip(requests, responses):
        expected = serve(signature or "serving_default", texts)
        assert response.keys() == expected.keys()
        for name, value in expected.items():
            assert response[name].shape == value.shape
            if value.dtype == object:
                np.testing.assert_array_equal(response[name], value)
            else:
                np.testing.assert_allclose(response[name], value, atol=1e-5)


class Variables(tf.Module):
    """What fails in a server only: Keras's weights, saved by TensorFlow."""

    def __init__(self):
        super().__init__()
        self.layer = keras.layers.Dense(1)
        self.layer.build((None, 1))

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def length(self, text):
        length = tf.cast(tf.strings.length(text), tf.float32)
        return {"length": self.layer(length[:, None])[:, 0]}


class Compiled(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def length(self, text):
        length = tf.strings.length(text)
        return {
            "length": tf.function(lambda x: x + 1, jit_compile=True)(length)
        }


@pytest.mark.parametrize(
    "module, problem",
    [
        (Variables, "Could not find variable"),
        (Compiled, "XLA compilation disabled"),
    ],
)
def test_the_probe_refuses_what_a_server_refuses(
    ask, tmp_path, module, problem
):
    module = module()
    tf.saved_model.save(module, str(tmp_path), signatures=module.length)
    loaded = tf.saved_model.load(str(tmp_path)).signatures["serving_default"]
    assert loaded(tf.constant(["abc"]))["length"].shape == (1,)
    done, _ = ask(tmp_path, [("serving_default", ["abc"])])
    assert done.returncode != 0
    assert problem in done.stderr
