"""The form in which `fit()` reads a dataset fastest."""

import keras

from keras_seq2seq.data.bucketed_dataset import BucketedDataset
from keras_seq2seq.utils.checks import check_type


def for_fit(dataset):
    """A dataset as `fit()` should get it, under the backend at hand.

    Under TensorFlow, Keras reads a `PyDataset` by way of a `tf.data.Dataset`.
    That one has a thread which tunes how it is read; at the end of an epoch it
    often misses that it should stop, and `fit()` waits for its next turn, up to
    as long as the epoch took and at most a minute (TensorFlow 2.21). So there
    this gives a `tf.data.Dataset` of the same batches without such a thread.
    Under other backends it gives the dataset as it is.

    Args:
        dataset: `BucketedDataset`. It shuffles by itself, so
            `fit(shuffle=False)`, or Keras warns that it cannot.

    Returns:
        `tf.data.Dataset`, or the dataset.

    Example:

    >>> dataset = k2s.data.BucketedDataset([[4, 5]], [[7]], batch_size=1)
    >>> data = k2s.data.for_fit(dataset)  # model.fit(data, shuffle=False)
    """
    check_type(dataset, "dataset", BucketedDataset)
    if keras.backend.backend() != "tensorflow":
        return dataset
    import tensorflow as tf

    # Batches by their number, not from a generator: Keras keeps an iterator
    # that was left early, and once Python is gone no generator can be closed.
    def batch(index):
        if index == 0:
            dataset.on_epoch_end()  # as Keras does, before the first epoch too
        return keras.tree.flatten(dataset[int(index)])

    def spec(x, other):
        # As Keras does: what differs between the first two may always differ.
        sizes = zip(x.shape, other.shape)
        shape = [n if n == m else None for n, m in sizes]
        return tf.TensorSpec(shape, x.dtype)

    first, second = dataset[0], dataset[min(1, len(dataset) - 1)]
    specs = keras.tree.flatten(keras.tree.map_structure(spec, first, second))

    def tensors(index):
        dtypes = [spec.dtype for spec in specs]
        found = tf.numpy_function(batch, [index], dtypes)
        for tensor, spec in zip(found, specs):
            tensor.set_shape(spec.shape)
        return keras.tree.pack_sequence_as(first, found)

    options = tf.data.Options()
    options.autotune.enabled = False
    numbers = tf.data.Dataset.range(len(dataset))
    return numbers.map(tensors).prefetch(2).with_options(options)
