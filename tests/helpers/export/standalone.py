"""Answers of a SavedModel in a process that has no Keras and none of ours.

    python standalone.py SAVED_MODEL < requests.json > answers.json

A request is a pair of a signature's name and a list of texts.
"""

import json
import sys

sys.modules["keras"] = None
sys.modules["keras_seq2seq"] = None

import tensorflow as tf  # noqa: E402


def answer(loaded, signature, texts):
    found = loaded.signatures[signature](tf.constant(texts, tf.string))
    return {
        name: [t.decode() for t in x.numpy().ravel()]
        if x.dtype == tf.string
        else x.numpy().tolist()
        for name, x in found.items()
    }


if __name__ == "__main__":
    model = tf.saved_model.load(sys.argv[1])
    found = [answer(model, *request) for request in json.load(sys.stdin)]
    print(json.dumps(found))
