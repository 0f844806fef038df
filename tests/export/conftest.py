import hashlib
import os
import shutil

import pytest

from tests.export import processes
from tests.fixtures import trained_task


@pytest.fixture(scope="session")
def task():
    return trained_task("bahdanau_2015")


@pytest.fixture(scope="session")
def exported(task, tmp_path_factory):
    """Path of the task's SavedModel, made in this process."""
    from keras_seq2seq.export import export_saved_model

    folder = tmp_path_factory.mktemp("exported") / "model"
    return export_saved_model(task, folder)


@pytest.fixture(scope="session")
def serve(exported):
    """Function of a signature's name and texts: dict of arrays."""
    import tensorflow as tf

    loaded = tf.saved_model.load(exported)

    def answer(signature, texts):
        texts = tf.constant(texts, tf.string, [len(texts)])
        found = loaded.signatures[signature](texts)
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
