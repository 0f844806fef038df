from keras_seq2seq.tasks.text_to_text import TextToText


def load(folder):
    """The task in a folder that `task.save(folder)` wrote.

    Args:
        folder: Path.

    Returns:
        `TextToText`, compiled where it was.
    """
    return TextToText.from_preset(folder)
