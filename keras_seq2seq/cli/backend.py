"""The backend of a command. Keras fixes it when it is imported."""

import importlib.util

PACKAGES = {"tensorflow": "tensorflow", "jax": "jax", "torch": "torch"}
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3"}


def restart_environment(
    wanted: str | None, active: str, environment: dict
) -> dict | None:
    """Environment to start again in, or `None` where all is well.

    Args:
        wanted: Name of the backend asked for, or `None` for any.
        active: Name of the backend that Keras runs on.
        environment: Dict, the environment of this process.
    """
    if wanted is None or wanted == active:
        return None
    if environment.get("KERAS_BACKEND") == wanted:
        raise RuntimeError(
            "Keras must follow KERAS_BACKEND. Received: "
            f"KERAS_BACKEND={wanted}, while Keras runs on {active}."
        )
    return {**QUIET, **environment, "KERAS_BACKEND": wanted}


def check_installed(backend: str) -> None:
    """Raise unless the package of a backend can be imported."""
    if not is_installed(PACKAGES[backend]):
        raise ImportError(
            f"`--backend` must be installed. Received: --backend {backend}, "
            f"without its package. pip install 'keras-seq2seq[{backend}]'"
        )


def is_installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None
