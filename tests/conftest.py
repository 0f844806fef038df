import os

# Tiny models: more threads and better code cost more than they save.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")

import keras  # noqa: E402
import pytest  # noqa: E402

# NumPy 2 warns about how Keras hands out PyTorch tensors.
KERAS_WARNING = "ignore:__array__ implementation:DeprecationWarning"


def pytest_addoption(parser):
    parser.addoption("--large", action="store_true", help="run large tests")


def pytest_configure(config):
    config.addinivalue_line("markers", "large: slow; runs with --large only")
    config.addinivalue_line("filterwarnings", KERAS_WARNING)


def pytest_collection_modifyitems(config, items):
    if config.getoption("--large"):
        return
    for item in items:
        if "large" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="needs --large"))


@pytest.fixture(autouse=True)
def seed():
    keras.utils.set_random_seed(0)


@pytest.fixture(params=["mixed_float16", "mixed_bfloat16"])
def half_precision(request):
    before = keras.config.dtype_policy()
    keras.config.set_dtype_policy(request.param)
    yield request.param
    keras.config.set_dtype_policy(before)
