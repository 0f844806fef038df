from keras_seq2seq.tasks.description import class_name
from keras_seq2seq.tasks.description import saved_class
from keras_seq2seq.tasks.task import Task
from keras_seq2seq.tasks.text_to_text import TextToText


def load(folder):
    """The task in a folder that `task.save(folder)` wrote.

    Args:
        folder: Path.

    Returns:
        `TextToText`, `TextCompletion`, or a registered `Task` of your own,
        compiled where it was.
    """
    cls = saved_class(class_name(folder), Task)
    return (cls or TextToText).from_preset(folder)
