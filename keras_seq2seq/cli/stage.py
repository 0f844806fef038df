"""Stages of a long command."""

import contextlib
import time


@contextlib.contextmanager
def stage(title: str):
    """Print the title of a block, and its duration when it ends."""
    print(f"\n{title}", flush=True)
    begun = time.monotonic()
    yield
    print(f"  [{time.monotonic() - begun:.1f} s]", flush=True)
