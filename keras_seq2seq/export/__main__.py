"""The process, started by `task.export`, that exports a saved task.

Its last line of output is the path of the new version, in JSON. For an error,
it prints the traceback, a line with `ERROR`, and the message.
"""

import argparse
import importlib
import json
import pathlib
import sys
import traceback

from keras_seq2seq import tasks
from keras_seq2seq.export.child_export import ERROR
from keras_seq2seq.export.parent import end_with_parent
from keras_seq2seq.export.saved_model import export_saved_model
from keras_seq2seq.tasks.trusted import check_trusted


def main(arguments=None):
    options = _parser().parse_args(arguments)
    if options.scratch is not None:
        end_with_parent(options.scratch)
    try:
        path = _export(options)
    except Exception as error:
        traceback.print_exc()
        print(
            ERROR, f"{type(error).__name__}: {error}", sep="\n", file=sys.stderr
        )
        return 1
    print(json.dumps(path))
    return 0


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m keras_seq2seq.export",
        description="Export a saved task as TARGET/<next version>.",
    )
    parser.add_argument("task", help="folder written by `task.save`")
    parser.add_argument("target", help="folder of the versions")
    parser.add_argument(
        "--options",
        type=pathlib.Path,
        help="JSON file with the arguments of `export_saved_model`",
    )
    parser.add_argument(
        "--import",
        dest="modules",
        action="append",
        default=[],
        help="module that registers a class of the task or of its signatures",
    )
    parser.add_argument(
        "--scratch",
        help="folder of the parent process: when standard input closes, the "
        "parent has ended, and this process removes the folder and ends",
    )
    return parser


def _export(options):
    for module in options.modules:
        importlib.import_module(module)
    settings = {}
    if options.options is not None:
        settings = json.loads(options.options.read_text(encoding="utf-8"))
        check_trusted(settings)
    return export_saved_model(
        tasks.load(options.task), options.target, **settings
    )


if __name__ == "__main__":
    sys.exit(main())
