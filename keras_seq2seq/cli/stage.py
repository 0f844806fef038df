"""Stages of a long command."""

import contextlib
import time


@contextlib.contextmanager
def stage(title: str):
    """Print what a block does, and when it is done, how long it took."""
    print(f"\n{title}", flush=True)
    begun = time.monotonic()
    yield
    print(f"  [{time.monotonic() - begun:.1f} s]", flush=True)
