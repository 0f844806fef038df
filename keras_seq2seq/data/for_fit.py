"""Datasets in the form that `fit()` reads fastest."""

import keras

from keras_seq2seq.data.bucketed_dataset import BucketedDataset
from keras_seq2seq.utils.checks import check_type


def for_fit(dataset):
    """Convert a dataset to the form that `fit()` reads fastest.

    Under TensorFlow, Keras wraps a `PyDataset` in a `tf.data.Dataset` with an
    autotuning thread. At the end of an epoch `fit()` often waits for that
    thread, for as long as the epoch took and up to a minute (TensorFlow 2.21).
    This function returns a `tf.data.Dataset` of the same batches without
    autotuning. Under other backends it returns the dataset unchanged.

    Args:
        dataset: `BucketedDataset`. It shuffles itself, so pass `shuffle=False`
            to `fit()`; otherwise Keras warns that it cannot shuffle.

    Returns:
        `tf.data.Dataset`, or `dataset`.

    Example:

    >>> dataset = k2s.data.BucketedDataset([[4, 5]], [[7]], batch_size=1)
    >>> data = k2s.data.for_fit(dataset)  # model.fit(data, shuffle=False)
    """
    check_type(dataset, "dataset", BucketedDataset)
    if keras.backend.backend() != "tensorflow":
        return dataset
    import tensorflow as tf

    # Batches by index, not from a generator: Keras keeps unfinished iterators,
    # and a generator cannot be closed once Python shuts down.
    def batch(index):
        if index == 0:
            dataset.on_epoch_end()  # like Keras, also before the first epoch
        return keras.tree.flatten(dataset[int(index)])

    def spec(x, other):
        # Like Keras: sizes that differ in the first two batches are unknown.
        sizes = zip(x.shape, other.shape)
        shape = [n if n == m else None for n, m in sizes]
        return tf.TensorSpec(shape, x.dtype)

    first, second = dataset[0], dataset[min(1, len(dataset) - 1)]
    specs = keras.tree.flatten(keras.tree.map_structure(spec, first, second))

    def tensors(index):
        dtypes = [spec.dtype for spec in specs]
        flat = tf.numpy_function(batch, [index], dtypes)
        for tensor, spec in zip(flat, specs):
            tensor.set_shape(spec.shape)
        return keras.tree.pack_sequence_as(first, flat)

    options = tf.data.Options()
    options.autotune.enabled = False
    numbers = tf.data.Dataset.range(len(dataset))
    return numbers.map(tensors).prefetch(2).with_options(options)
