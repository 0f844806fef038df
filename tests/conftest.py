import gc
import importlib.metadata
import itertools
import os
import pathlib

from packaging.version import Version

CACHE = pathlib.Path(__file__).parents[1] / ".pytest_cache" / "jax"


def xla_flags(backend):
    """Compile fast. A flag that a version does not know ends the process."""
    flags = ["--xla_backend_optimization_level=0"]
    if backend == "jax":
        flags.append("--xla_cpu_parallel_codegen_split_count=1")
        jaxlib = Version(importlib.metadata.version("jaxlib"))
        if jaxlib < Version("0.11.1"):
            flags.append("--xla_cpu_use_fusion_emitters=false")
    return " ".join(flags)


# Tiny models: compiling them costs more than running them.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ.setdefault("XLA_FLAGS", xla_flags(os.environ.get("KERAS_BACKEND")))
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(CACHE))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1")

import keras  # noqa: E402
import pytest  # noqa: E402

from tests.helpers.eager import eagerly  # noqa: E402
from tests.helpers.shared_context import share_context  # noqa: E402

EAGER = "eager(yes=True): for what is around a model; TensorFlow traces nothing"

if keras.backend.backend() == "tensorflow":
    import tensorflow as tf

    # A graph as it is traced; other processes of the tests optimize theirs.
    as_traced = {"disable_meta_optimizer": True}
    tf.config.optimizer.set_experimental_options(as_traced)
if keras.backend.backend() == "jax":
    share_context()

# NumPy 2 warns about how Keras hands out PyTorch tensors.
KERAS_WARNING = "ignore:__array__ implementation:DeprecationWarning"


# Tracing makes many objects and frees few: collecting less saves a tenth.
gc.freeze()
gc.set_threshold(100_000, 50, 100)

MAPS = pathlib.Path("/proc/self/maps")
MOST_MAPS = 16_000
TESTS_RUN = itertools.count()


def pytest_configure(config):
    config.addinivalue_line("filterwarnings", KERAS_WARNING)
    config.addinivalue_line("markers", EAGER)


@pytest.fixture(autouse=True)
def seed():
    keras.utils.set_random_seed(0)


@pytest.fixture(params=["mixed_float16", "mixed_bfloat16"])
def half_precision(request):
    before = keras.config.dtype_policy()
    keras.config.set_dtype_policy(request.param)
    yield request.param
    keras.config.set_dtype_policy(before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """A test marked as eager, and the fixtures that are made for it."""
    mark = item.get_closest_marker("eager")
    if mark is None or False in mark.args:
        return (yield)
    with eagerly():
        return (yield)


@pytest.fixture(autouse=True)
def few_programs():
    """JAX keeps what it compiles, two memory maps a program or more.

    With 20,000 maps it takes twice the time to compile the next one; at 65,530
    Linux lets a process have no more, and it dies.
    """
    yield
    if next(TESTS_RUN) % 10:  # counting takes its time
        return
    if keras.backend.backend() == "jax" and MAPS.exists():
        with MAPS.open("rb") as maps:
            count = sum(1 for _ in maps)
        if count > MOST_MAPS:
            import jax

            jax.clear_caches()
