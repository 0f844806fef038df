"""Export a saved task as a SavedModel for TensorFlow Serving.

Writes FOLDER/1, or the next free number, and prints its path.
"""

from keras_seq2seq import tasks
from keras_seq2seq.cli.options import add_task


def add_options(parser) -> None:
    add_task(parser)
    parser.add_argument("folder", metavar="FOLDER", help="where versions go")


def run(options) -> None:
    print(tasks.load(options.task).export(options.folder))
