"""The process that exports a saved task; `task.export` starts it.

Prints the new version's path as its last line. An error is printed as its
traceback, a line with `ERROR`, and its message.
"""

import argparse
import importlib
import sys
import traceback

from keras_seq2seq import tasks
from keras_seq2seq.export.saved_model import export_saved_model
from keras_seq2seq.tasks.child_export import ERROR


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="python -m keras_seq2seq.export",
        description="Export a saved task as TARGET/<next version>.",
    )
    parser.add_argument("task", help="folder that `task.save` wrote")
    parser.add_argument("target", help="folder of the versions")
    parser.add_argument("--n-best", type=int)
    parser.add_argument("--max-source-length", type=int)
    parser.add_argument(
        "--import",
        dest="modules",
        action="append",
        default=[],
        help="module that registers a class of the model",
    )
    options = parser.parse_args(arguments)
    try:
        for module in options.modules:
            importlib.import_module(module)
        path = export_saved_model(
            tasks.load(options.task),
            options.target,
            n_best=options.n_best,
            max_source_length=options.max_source_length,
        )
    except Exception as error:
        traceback.print_exc()
        print(
            ERROR, f"{type(error).__name__}: {error}", sep="\n", file=sys.stderr
        )
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
