"""How a task makes batches and trains on them."""

import math

from keras_seq2seq.data import BucketedDataset
from keras_seq2seq.data import for_fit
from keras_seq2seq.models.compilation import default_buckets
from keras_seq2seq.utils.checks import check_integer
from keras_seq2seq.utils.variables import kept_variables


def batches(
    model, rows, targets, batch, *, batch_size, num_buckets, epochs, **options
):
    """`BucketedDataset` of pairs that the model can take.

    Args:
        model: `Seq2Seq`.
        rows: List of encoded sources.
        targets: List of lists of ids, one a row.
        batch: Function of rows and a length, `batch_sources` of a task.
        batch_size: Integer.
        num_buckets: Integer, or `None` for what suits so much training.
        epochs: Integer.
        **options: For `BucketedDataset`.
    """
    check_integer(batch_size, "batch_size", 1)
    if num_buckets is None:
        steps = math.ceil(len(rows) / batch_size) * epochs
        num_buckets = default_buckets(steps)
    dataset = BucketedDataset(
        rows,
        targets,
        batch_size=batch_size,
        num_buckets=num_buckets,
        batch_sources=batch,
        source_vocabulary_size=model.source.vocabulary_size,
        target_vocabulary_size=model.target.vocabulary_size,
        **options,
    )
    for lengths in dataset.buckets:
        model.check_lengths(*lengths)
    return dataset


def fit(model, dataset, validation_data, **kwargs):
    """`fit` of a model; gives Keras's `History`."""
    if validation_data is not None:
        validation_data = for_fit(validation_data)
    with kept_variables(model):
        # The dataset shuffles by itself, from NumPy's seed.
        return model.fit(
            for_fit(dataset),
            validation_data=validation_data,
            **{"shuffle": False, **kwargs},
        )
