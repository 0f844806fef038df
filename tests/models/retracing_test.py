"""What TensorFlow says of functions that it traces."""

import logging

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.models.compilation import count_alone
from keras_seq2seq.models.training_model import TrainingModel
from tests.helpers.models import gru_model

pytestmark = pytest.mark.skipif(
    keras.backend.backend() != "tensorflow",
    reason="TensorFlow alone warns of retracing",
)
MODELS = 6  # TensorFlow warns at the fifth


class TinyModel(TrainingModel):
    attention_loss = None

    def input_axes(self):
        return {"x": ("batch_size", ...)}

    def vocabulary_sizes(self):
        return {}


@pytest.fixture
def warned(caplog):
    """Function without arguments: whether retracing was warned of."""
    from tensorflow.python.eager.polymorphic_function import (
        polymorphic_function,
    )

    # As in a new process: what other tests have traced is forgotten.
    manager = polymorphic_function._frequent_tracing_detector_manager
    manager._detectors.clear()
    caplog.set_level(logging.WARNING, "tensorflow")
    return lambda: "retracing" in caplog.text


def test_models_and_searches_are_no_retracing(warned):
    model, source = gru_model(), np.array([[4, 5]])
    for n in range(MODELS):
        search = k2s.search.GreedySearch(max_length=1 + n)
        k2s.models.InferenceModel(model, search).predict_on_batch(source)
    assert not warned()


def test_training_of_several_models_is_no_retracing(warned):
    x, y = np.ones((2, 1)), np.ones((2, 1))
    for _ in range(MODELS):
        inputs = keras.Input((1,))
        model = TinyModel(inputs, keras.layers.Dense(1)(inputs))
        model.compile("sgd", "mse")
        model.fit(x, y, verbose=0)
        model.evaluate(x, y, verbose=0)
        model.predict_on_batch(x)
        model.train_on_batch(x, y)
    assert not warned()


def function():
    import tensorflow as tf

    return tf.function(lambda x: x)


def test_a_function_that_is_traced_again_and_again_is_warned_of(warned):
    one = function()
    count_alone(one)
    for n in range(MODELS):  # a Python number is traced each time
        one(n)
    assert warned()


def test_without_counting_alone_there_would_be_a_warning(warned):
    for _ in range(MODELS):
        function()(1)
    assert warned()
