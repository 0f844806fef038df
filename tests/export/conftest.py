import hashlib
import os
import pathlib
import shutil

import numpy as np
import pytest

from tests.fixtures import trained_task
from tests.helpers.export import processes

EXAMPLES = ["it", "keras", "attention", "pneumonoultramicroscopic"]


@pytest.fixture(scope="session")
def task():
    return trained_task("bahdanau_2015")


@pytest.fixture(scope="session")
def exported(task, tmp_path_factory):
    """Path of the task's SavedModel, made in this process."""
    import keras_seq2seq as k2s
    from keras_seq2seq.export import export_saved_model

    folder = tmp_path_factory.mktemp("exported") / "model"
    searches = {
        "greedy": k2s.search.GreedySearch(max_length=30),
        "prefixed": k2s.search.GreedySearch(
            max_length=30, constraints=["forced_prefix"]
        ),
    }
    return export_saved_model(
        task, folder, searches=searches, examples=EXAMPLES, source="fixture"
    )


@pytest.fixture(scope="session")
def loaded(exported):
    import tensorflow as tf

    return tf.saved_model.load(exported)


@pytest.fixture(scope="session")
def serve(loaded):
    """Function of a signature's name and its inputs: dict of arrays."""
    import tensorflow as tf

    def answer(signature, text=None, **inputs):
        if text is not None:
            inputs["text"] = np.array(text, object)
        tensors = {
            name: tf.constant(x, tf.string if x.dtype == object else x.dtype)
            for name, x in inputs.items()
        }
        found = loaded.signatures[signature](**tensors)
        return {name: x.numpy() for name, x in found.items()}

    return answer


@pytest.fixture(scope="session")
def probe(request):
    """Path of the compiled probe; half a minute for each new TensorFlow."""
    import tensorflow as tf

    if shutil.which("g++") is None and os.environ.get("CI") != "true":
        pytest.skip("the probe needs g++")
    source = (processes.HERE / "serving_probe.cc").read_bytes()
    key = hashlib.sha256(source + tf.__version__.encode()).hexdigest()[:16]
    path = request.config.cache.mkdir("serving_probe") / key
    if not path.exists():
        new = path.with_suffix(f".{os.getpid()}")
        processes.build_probe(new)
        os.replace(new, path)
    return path


@pytest.fixture(scope="session")
def ask_probe(probe, tmp_path_factory):
    """Function of a SavedModel and requests: process and responses.

    Requests are pairs of a signature's name and a dict of arrays; they come
    after those in a file.
    """
    from tests.helpers.export import serving_requests

    folder = tmp_path_factory.mktemp("requests")
    serving_requests.write_descriptors(folder / "descriptors")

    def function(exported, requests, after=None):
        path = folder / "requests"
        serving_requests.write_requests(path, requests)
        if after is not None:  # records follow each other, nothing else
            path.write_bytes(
                pathlib.Path(after).read_bytes() + path.read_bytes()
            )
        done = processes.run_probe(
            probe,
            *(str(exported), folder / "descriptors", path),
            folder / "responses",
        )
        if done.returncode:
            return done, None
        return done, serving_requests.read_responses(folder / "responses")

    return function
