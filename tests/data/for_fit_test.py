import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.data import BucketedDataset
from keras_seq2seq.data import for_fit

ON_TENSORFLOW = keras.backend.backend() == "tensorflow"


def dataset():
    lengths = np.random.default_rng(0).integers(1, 9, size=23)
    sources = [[4 + row] * n for row, n in enumerate(lengths)]
    return BucketedDataset(
        sources, sources, batch_size=3, num_buckets=3, seed=5
    )


class Recorder(keras.Model):
    """Remembers the ids that each step of `fit` sees."""

    def __init__(self):
        super().__init__()
        self.scale = self.add_weight(shape=(), name="scale")
        self.seen = []

    def call(self, inputs):
        self.seen.append(ops.convert_to_numpy(inputs["encoder_token_ids"]))
        return self.scale * ops.cast(inputs["decoder_token_ids"], "float32")

    def compute_loss(self, x, y, y_pred, sample_weight, training=True):
        return ops.mean(y_pred)


def seen_by_fit(data, epochs):
    model = Recorder()
    model.compile("sgd", run_eagerly=True)
    model.fit(data, epochs=epochs, shuffle=False, verbose=0)
    steps = epochs * len(dataset())
    return model.seen[-steps:]  # a call before them may build the model


@pytest.mark.skipif(not ON_TENSORFLOW, reason="TensorFlow's own")
def test_fit_sees_the_same_batches_as_keras_makes_of_it():
    by_keras = seen_by_fit(dataset(), epochs=3)
    ours = seen_by_fit(for_fit(dataset()), epochs=3)
    assert len(ours) == 3 * len(dataset())
    for one, other in zip(ours, by_keras, strict=True):
        np.testing.assert_array_equal(one, other)
    count = len(dataset())
    epochs = [
        [x.tolist() for x in ours[i * count : (i + 1) * count]]
        for i in range(3)
    ]
    assert epochs[0] != epochs[1]


@pytest.mark.skipif(ON_TENSORFLOW, reason="read in another form there")
def test_other_backends_get_it_as_it_is():
    data = dataset()
    assert for_fit(data) is data


@pytest.mark.skipif(not ON_TENSORFLOW, reason="TensorFlow's own")
def test_no_thread_to_wait_for():
    data = for_fit(dataset())
    assert data.options().autotune.enabled is False
    assert len(data) == len(dataset())
    inputs, targets, weights = data.element_spec
    assert inputs["encoder_token_ids"].shape.as_list() == [3, None]
    assert targets.dtype == "int32"
    assert weights.dtype == "float32"


@pytest.mark.skipif(not ON_TENSORFLOW, reason="TensorFlow's own")
def test_nothing_to_close_when_it_is_left_early():
    import tensorflow as tf

    graph = tf.raw_ops.DatasetToGraphV2(
        input_dataset=for_fit(dataset())._variant_tensor
    )
    assert b"RangeDataset" in graph.numpy()
    assert b"GeneratorDataset" not in graph.numpy()


class Other(keras.utils.PyDataset):
    def __len__(self):
        return 1

    def __getitem__(self, index):
        return np.zeros((2, 3)), np.zeros((2, 1))


def test_what_it_takes():
    with pytest.raises(TypeError, match="`dataset` must be a `BucketedDataset"):
        for_fit(Other())
    with pytest.raises(TypeError, match="`dataset` must be a `BucketedDataset"):
        for_fit([1, 2])


def test_one_batch():
    (batch,) = for_fit(BucketedDataset([[4, 5]], [[7]], batch_size=1))
    ids = ops.convert_to_numpy(batch[0]["encoder_token_ids"])
    np.testing.assert_array_equal(ids, [[4, 5]])
