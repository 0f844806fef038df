"""Runs an `EncoderModel` on encoded sources."""

import numpy as np

from keras_seq2seq.tasks.length_batches import predict_rows


def vectors(model, rows, batch, *, verbose):
    """Compute an array of vectors, of shape `(len(rows), dim)`.

    Args:
        model: `EncoderModel`.
        rows: List of encoded sources.
        batch: Function of rows and a length: `batch_sources` of a task.
        verbose: As for `predict_rows`.
    """

    def predict(rows, bucket):
        return {"vectors": model.predict_on_batch(batch(rows, bucket[0]))}

    results = predict_rows(
        predict,
        rows,
        [(len(row),) for row in rows],
        model=model.model,
        target_length=1,
        verbose=verbose,
    )
    return np.array([row["vectors"] for row in results])
