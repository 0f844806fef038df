from keras_seq2seq.tasks.description import class_name
from keras_seq2seq.tasks.text_completion import TextCompletion
from keras_seq2seq.tasks.text_to_text import TextToText

TASKS = {cls.__name__: cls for cls in (TextCompletion, TextToText)}


def load(folder):
    """The task in a folder that `task.save(folder)` wrote.

    Args:
        folder: Path.

    Returns:
        `TextToText` or `TextCompletion`, compiled where it was.
    """
    name = class_name(folder)
    return TASKS.get(name, TextToText).from_preset(folder)
