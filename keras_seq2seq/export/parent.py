"""A process that does not outlive the one that started it."""

import _thread
import os
import shutil
import threading
import time

SECONDS = 10  # to clean up


def end_with_parent(scratch):
    """End this process when its standard input closes.

    The parent holds the other end of it: the system closes that when the
    parent ends, in whatever way.

    Args:
        scratch: Path of the parent's folder, which nobody else would remove.
    """
    threading.Thread(target=_watch, args=(scratch,), daemon=True).start()


def _watch(scratch):
    os.read(0, 1)
    shutil.rmtree(scratch, ignore_errors=True)
    _thread.interrupt_main()
    time.sleep(SECONDS)
    os._exit(1)
