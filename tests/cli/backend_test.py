import pytest

from keras_seq2seq.cli import backend


def test_no_restart_where_the_backend_is_active_or_open():
    assert backend.restart_environment("jax", "jax", {}) is None
    assert backend.restart_environment(None, "jax", {}) is None


def test_restart_with_the_backend_in_the_environment():
    found = backend.restart_environment("jax", "torch", {"A": "b"})
    assert found == {
        "A": "b",
        "KERAS_BACKEND": "jax",
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }
    environment = {"KERAS_BACKEND": "torch", "TF_CPP_MIN_LOG_LEVEL": "0"}
    found = backend.restart_environment("jax", "torch", environment)
    assert found == {"KERAS_BACKEND": "jax", "TF_CPP_MIN_LOG_LEVEL": "0"}


def test_no_endless_restarts():
    with pytest.raises(RuntimeError, match="uses torch"):
        backend.restart_environment("jax", "torch", {"KERAS_BACKEND": "jax"})


def test_missing_package(monkeypatch):
    monkeypatch.setattr(backend, "is_installed", lambda package: False)
    with pytest.raises(ImportError, match=r"keras-seq2seq\[jax\]"):
        backend.check_installed("jax")
