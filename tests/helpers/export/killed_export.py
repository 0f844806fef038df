"""Exports that die: python killed_export.py FOLDER POINT...

At each point, the name of a function that an export calls, the process that
exports a small task to FOLDER/POINT is killed as by the system, with no time
to clean up.
"""

import os
import signal
import sys

import keras_seq2seq as k2s
from keras_seq2seq.export import export_saved_model
from keras_seq2seq.export import graph_checks
from keras_seq2seq.export import smoke_test


def die(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)


def export(folder, point):
    """Export, and die at a point."""
    if point == "rename":
        os.rename = die
    elif point == "check_graph":
        graph_checks.check_graph = die
    else:
        smoke_test.run_smoke_test = die
    task = k2s.tasks.TextToText.from_corpus(
        [("ab", "b a")], "luong_2015", units=2, embedding_dim=2, search="greedy"
    )
    export_saved_model(task, os.path.join(folder, point), signatures=())


if __name__ == "__main__":
    for name in sys.argv[2:]:
        child = os.fork()  # before TensorFlow has started anything
        if child == 0:
            export(sys.argv[1], name)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(name, os.waitstatus_to_exitcode(status))
