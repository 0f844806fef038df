"""From texts to vectors, through an `EncoderModel`."""

import numpy as np

from keras_seq2seq.data import pad_token_ids
from keras_seq2seq.models import EncoderModel
from keras_seq2seq.tasks.encoded import encoded
from keras_seq2seq.tasks.length_batches import predict_rows


def vectors(task, texts, pooling, *, verbose):
    """Array of shape `(len(texts), dim)`. Arguments as of `encode`."""
    rows = encoded(task.source_tokenizer, texts, "texts")
    model = task.made_once(
        ("vectors", pooling), lambda: EncoderModel(task.model, pooling)
    )

    def answer(rows, bucket):
        token_ids = pad_token_ids(rows, length=bucket[0])
        return {"vectors": model.predict_on_batch(token_ids)}

    found = predict_rows(
        answer,
        rows,
        [(len(row),) for row in rows],
        model=task.model,
        target_length=1,
        verbose=verbose,
    )
    return np.array([row["vectors"] for row in found])
