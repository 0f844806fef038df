"""REST needs nothing but the standard library and what the package needs."""

import os
import subprocess
import sys

import keras
import pytest

if keras.backend.backend() == "tensorflow":
    pytest.skip("cannot do without TensorFlow", allow_module_level=True)


def test_rest_needs_no_tensorflow():
    code = (
        "import sys\n"
        "sys.modules['tensorflow'] = None\n"
        "sys.modules['tensorflow_serving'] = None\n"
        "from keras_seq2seq.export.client import Client\n"
        "Client('http://localhost/model')\n"
        "try:\n"
        "    Client('grpc://localhost/model')\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "KERAS_BACKEND": keras.backend.backend()},
        capture_output=True,
        text=True,
    )
    assert "keras-seq2seq[serving]" in done.stdout, done.stderr
