"""Settings of the C allocator for training."""

import ctypes
import functools
import platform

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # glibc's M_TRIM_..., M_MMAP_...


def keep_freed_memory():
    """Let glibc keep freed memory for the next training step.

    Keras runs every `PyDataset` through TensorFlow's generator dataset, which
    makes glibc return freed memory to the system at once. Each step then
    allocates its tensors page by page and takes two to three times as long.
    With other C libraries this function does nothing.
    """
    mallopt = _mallopt()
    if mallopt is not None:
        mallopt(TRIM_THRESHOLD, 1 << 30)
        mallopt(MMAP_THRESHOLD, 1 << 25)


@functools.cache
def _mallopt():
    if platform.libc_ver()[0] != "glibc":
        return None
    return getattr(ctypes.CDLL(None), "mallopt", None)
