"""TensorFlow's own C++ loader and session on TensorFlow Serving's requests.

This is the path that a stock server takes. What it refuses, Python often takes
without a word: two such models show that the probe can fail.
"""

import os

import keras
import numpy as np
import pytest

from tests.helpers.export.comparing import assert_equal

tf = pytest.importorskip("tensorflow")
if keras.backend.backend() != "tensorflow":
    pytest.skip("exports under TensorFlow", allow_module_level=True)
if os.environ.get("CI") != "true":
    pytest.importorskip("tensorflow_serving")

from tests.helpers.export import serving_requests  # noqa: E402
from tests.helpers.export.serving_requests import texts  # noqa: E402

TEXTS = ["keras", "", "attention", "ZZ??", "naïve", "x" * 50]


def test_the_server_answers_as_python(ask_probe, exported, serve):
    """Every signature's warmup requests, and what nobody warms up with."""
    path = f"{exported}/assets.extra/tf_serving_warmup_requests"
    requests = [
        (
            request.model_spec.signature_name,
            serving_requests.arrays(request.inputs),
        )
        for request in serving_requests.read_requests(path)
    ]
    warmed = len(requests)
    requests += [(s, texts(TEXTS)) for s in ("serving_default", "n_best")]
    requests += [("serving_default", texts([text])) for text in TEXTS]
    requests += [
        ("", texts(TEXTS + TEXTS[-1:] * 10)),
        ("n_best", texts([])),
        ("greedy", texts([b"\xff\xfe", b"a" * 10_000])),
        ("score", {n: np.array(["a\0"], object) for n in ("source", "target")}),
        (
            "token_ids",
            {
                "token_ids": np.array([[5, 99_999, -7], [5, 5, 5]], "int32"),
                "lengths": np.array([3, 1], "int32"),
            },
        ),
    ]
    done, responses = ask_probe(exported, requests[warmed:], after=path)
    assert done.returncode == 0, done.stderr
    assert len(responses) == len(requests)
    for (signature, inputs), response in zip(requests, responses):
        assert_equal(response, serve(signature or "serving_default", **inputs))


@pytest.mark.parametrize(
    "signature, inputs, problem",
    [
        ("nothing", texts(["a"]), 'Serving signature key "nothing" not found'),
        ("sample", texts(["a"]), "input size does not match signature"),
        ("serving_default", {"text": np.array("a", object)}, "out of bounds"),
        (
            "sample",
            {**texts(["a", "b"]), "seed": np.array([7], "int32")},
            "same number of rows",
        ),
    ],
)
def test_bad_requests_are_refused(
    ask_probe, exported, signature, inputs, problem
):
    done, _ = ask_probe(exported, [(signature, inputs)])
    assert done.returncode == 4
    assert problem in done.stderr


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
    ask_probe, tmp_path, module, problem
):
    module = module()
    tf.saved_model.save(module, str(tmp_path), signatures=module.length)
    loaded = tf.saved_model.load(str(tmp_path)).signatures["serving_default"]
    assert loaded(tf.constant(["abc"]))["length"].shape == (1,)
    done, _ = ask_probe(tmp_path, [("serving_default", texts(["abc"]))])
    assert done.returncode != 0
    assert problem in done.stderr
