from keras_seq2seq.tasks.description import class_name
from keras_seq2seq.tasks.description import saved_class
from keras_seq2seq.tasks.task import Task
from keras_seq2seq.tasks.text_to_text import TextToText


def load(folder):
    """Load a task from a folder written by `task.save(folder)`.

    Args:
        folder: Path.

    Returns:
        `TextToText`, `TextCompletion`, or your own registered `Task`, compiled
        if the saved task was.
    """
    cls = saved_class(class_name(folder), Task)
    return (cls or TextToText).from_preset(folder)
