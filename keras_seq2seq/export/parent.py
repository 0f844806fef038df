"""Ending a process together with its parent."""

import _thread
import os
import shutil
import threading
import time

SECONDS = 10  # to clean up


def end_with_parent(scratch):
    """End this process when its standard input closes.

    The other end belongs to the parent. The operating system closes it when
    the parent ends, even if it is killed.

    Args:
        scratch: Path of the parent's temporary folder, to be removed.
    """
    threading.Thread(target=_watch, args=(scratch,), daemon=True).start()


def _watch(scratch):
    os.read(0, 1)
    shutil.rmtree(scratch, ignore_errors=True)
    _thread.interrupt_main()
    time.sleep(SECONDS)
    os._exit(1)
