"""Creates batches of a corpus and trains a model on them."""

import math

from keras_seq2seq.data import BucketedDataset
from keras_seq2seq.data import for_fit
from keras_seq2seq.data.batch_shapes import check_batch_size
from keras_seq2seq.data.token_rows import row_lengths
from keras_seq2seq.models.compilation import default_buckets
from keras_seq2seq.utils.variables import restore_variables

BATCH_SIZE = 128


def check_sizes(batch_size, tokens_per_batch):
    """Return both; without either, batches have 128 rows."""
    if batch_size is None and tokens_per_batch is None:
        batch_size = BATCH_SIZE
    check_batch_size(batch_size, tokens_per_batch)
    return {"batch_size": batch_size, "tokens_per_batch": tokens_per_batch}


def batches(model, corpus, batch, *, num_buckets, epochs, **options):
    """Create a `BucketedDataset`; raise if pairs are too long for the model.

    Args:
        model: `Seq2Seq`.
        corpus: `EncodedCorpus`.
        batch: Function of rows and a length: `batch_sources` of a task.
        num_buckets: Integer, or `None` to choose it by the number of steps.
        epochs: Integer.
        **options: Arguments of `BucketedDataset`.
    """
    if num_buckets is None:
        num_buckets = default_buckets(
            _count_batches(corpus, **options) * epochs
        )
    dataset = BucketedDataset(
        corpus.sources,
        corpus.targets,
        num_buckets=num_buckets,
        batch_sources=batch,
        source_vocabulary_size=model.source.vocabulary_size,
        target_vocabulary_size=model.target.vocabulary_size,
        **options,
    )
    for lengths in dataset.buckets:
        model.check_lengths(*lengths)
    return dataset


def _count_batches(corpus, batch_size, tokens_per_batch, **options):
    """Number of batches of an epoch, about."""
    if batch_size is not None:
        return math.ceil(len(corpus) / batch_size)
    sides = (
        row_lengths(side).sum() for side in (corpus.sources, corpus.targets)
    )
    return math.ceil(sum(sides) / tokens_per_batch)


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
