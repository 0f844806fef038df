"""The backend of a command, which Keras chooses when it is imported."""

import importlib.util

PACKAGES = {"tensorflow": "tensorflow", "jax": "jax", "torch": "torch"}
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3"}


def restart_environment(
    wanted: str | None, active: str, environment: dict
) -> dict | None:
    """Environment for a restart under another backend, or `None`.

    Args:
        wanted: Name of the requested backend, or `None` for any.
        active: Name of the backend that Keras uses.
        environment: Dict, the environment of this process.

    Returns:
        Dict, or `None` if no restart is needed.
    """
    if wanted is None or wanted == active:
        return None
    if environment.get("KERAS_BACKEND") == wanted:
        raise RuntimeError(
            "Keras must use the backend in KERAS_BACKEND. Received: "
            f"KERAS_BACKEND={wanted}, while Keras uses {active}."
        )
    return {**QUIET, **environment, "KERAS_BACKEND": wanted}


def check_installed(backend: str) -> None:
    """Raise if the package of a backend is not installed."""
    if not is_installed(PACKAGES[backend]):
        raise ImportError(
            f"`--backend` must be installed. Received: --backend {backend}, "
            f"which is not. pip install 'keras-seq2seq[{backend}]'"
        )


def is_installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None
