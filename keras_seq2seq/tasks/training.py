"""How a task makes batches and trains on them."""

import math

from keras_seq2seq.data import BucketedDataset
from keras_seq2seq.data import for_fit
from keras_seq2seq.models.compilation import default_buckets
from keras_seq2seq.utils.checks import check_integer
from keras_seq2seq.utils.variables import kept_variables


def batches(task, rows, *, batch_size, num_buckets, epochs, **options):
    """`BucketedDataset` of pairs of ids that the model can take.

    Args:
        task: Task.
        rows: Pair of lists of lists of ids, sources and targets.
        batch_size: Integer.
        num_buckets: Integer, or `None` for what suits so much training.
        epochs: Integer.
        **options: For `BucketedDataset`.
    """
    check_integer(batch_size, "batch_size", 1)
    if num_buckets is None:
        steps = math.ceil(len(rows[0]) / batch_size) * epochs
        num_buckets = default_buckets(steps)
    dataset = BucketedDataset(
        *rows,
        batch_size=batch_size,
        num_buckets=num_buckets,
        source_vocabulary_size=task.model.source.vocabulary_size,
        target_vocabulary_size=task.model.target.vocabulary_size,
        **options,
    )
    for lengths in dataset.buckets:
        task.model.check_lengths(*lengths)
    return dataset


def fit(task, dataset, validation_data, **kwargs):
    """`fit` of the task's model; gives Keras's `History`."""
    if validation_data is not None:
        validation_data = for_fit(validation_data)
    with kept_variables(task.model):
        # The dataset shuffles by itself, from NumPy's seed.
        return task.model.fit(
            for_fit(dataset),
            validation_data=validation_data,
            **{"shuffle": False, **kwargs},
        )
