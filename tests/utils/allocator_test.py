import platform
import subprocess
import sys

import pytest

GROWTH = """
import ctypes, resource, sys
from keras_seq2seq.utils.allocator import keep_freed_memory
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]
libc.mallopt(-1, 128 * 1024)  # as TensorFlow's generator dataset does
if sys.argv[1] == "keep":
    keep_freed_memory()
size = 1 << 22
faults = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_minflt
def touch():
    block = libc.malloc(size)
    ctypes.memset(block, 1, size)
    libc.free(block)
touch()
before = faults()
for _ in range(20):
    touch()
print(faults() - before)
"""


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="glibc's allocator only"
)
def test_freed_memory_is_used_again():
    """Page faults of 20 blocks of 4 MiB: 1,024 pages each, or none."""
    faults = {}
    for how in ("keep", "give back"):
        done = subprocess.run(
            [sys.executable, "-c", GROWTH, how],
            capture_output=True,
            text=True,
            check=True,
        )
        faults[how] = int(done.stdout)
    assert faults["give back"] > 10_000
    assert faults["keep"] < 1_000
