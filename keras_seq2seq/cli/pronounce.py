"""Answer texts with an exported model and only TensorFlow.

    python pronounce.py FOLDER TEXT...

FOLDER is a SavedModel, or the folder of its numbered versions. This file does
not import Keras or keras_seq2seq, and makes any import of them fail.
"""

import os
import pathlib
import sys

BLOCKED = ("keras", "keras_seq2seq")


def main(folder, *texts):
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    for name in BLOCKED:
        sys.modules[name] = None  # makes an import of it fail
    import tensorflow as tf

    model = tf.saved_model.load(newest(pathlib.Path(folder)))
    found = model.signatures["serving_default"](text=tf.constant(texts))
    answers = zip(texts, found["text"].numpy(), found["score"].numpy())
    for text, answer, score in answers:
        print(f"{text}\t{score:.3f}\t{answer.decode()}")


def newest(folder):
    """The highest version in the folder, or the folder itself."""
    if (folder / "saved_model.pb").is_file():
        return str(folder)
    versions = [
        int(path.parent.name)
        for path in folder.glob("*/saved_model.pb")
        if path.parent.name.isdecimal()
    ]
    if not versions:
        sys.exit(f"FOLDER must hold a SavedModel. Received: {folder}")
    return str(folder / str(max(versions)))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
