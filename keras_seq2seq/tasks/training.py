"""Creates batches of a corpus and trains a model on them."""

import math

from keras_seq2seq.data import BucketedDataset
from keras_seq2seq.data import for_fit
from keras_seq2seq.models.compilation import default_buckets
from keras_seq2seq.utils.checks import check_integer
from keras_seq2seq.utils.variables import restore_variables


def batches(
    model, rows, targets, batch, *, batch_size, num_buckets, epochs, **options
):
    """Create a `BucketedDataset`; raise if pairs are too long for the model.

    Args:
        model: `Seq2Seq`.
        rows: List of encoded sources.
        targets: List of lists of ids, one for each row.
        batch: Function of rows and a length: `batch_sources` of a task.
        batch_size: Integer.
        num_buckets: Integer, or `None` to choose it by the number of steps.
        epochs: Integer.
        **options: Arguments of `BucketedDataset`.
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
    """Fit a model to a dataset; return Keras's `History`."""
    if validation_data is not None:
        validation_data = for_fit(validation_data)
    with restore_variables(model):
        # The dataset shuffles itself, with NumPy's seed.
        return model.fit(
            for_fit(dataset),
            validation_data=validation_data,
            **{"shuffle": False, **kwargs},
        )
