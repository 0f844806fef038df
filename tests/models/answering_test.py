"""What a question and a training step leave of the variables."""

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from tests.helpers.models import gru_model

DATA = k2s.data.BucketedDataset(
    [[4, 5], [6]] * 4, [[7], [5, 6]] * 4, batch_size=2, num_buckets=1
)
INPUTS = DATA[0][0]
SOURCE = INPUTS["encoder_token_ids"]
CALLS = {
    "fit": lambda model: model.fit(DATA, verbose=0, shuffle=False),
    "evaluate": lambda model: model.evaluate(DATA, verbose=0),
    "predict": lambda model: model.predict(INPUTS, verbose=0),
    "predict_on_batch": lambda model: model.predict_on_batch(INPUTS),
    "search": lambda model: model.inference.predict(SOURCE, verbose=0),
}


def values(model):
    variables = [*model.variables, *model.optimizer.variables]
    return [keras.ops.convert_to_numpy(v) for v in variables]


def averaging_model(use_ema=True):
    """One whose optimizer shares values with it at the end of `fit`."""
    model = gru_model(dropout=0.0)
    model.compile(
        keras.optimizers.Adam(0.1, use_ema=use_ema),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    vars(model)["inference"] = k2s.models.InferenceModel(
        model, k2s.search.GreedySearch(max_length=3)
    )
    return model


def test_any_call_after_any_other():
    model = averaging_model()
    for first in CALLS.values():
        for second in CALLS.values():
            first(model)
            before = values(model)
            assert all(np.isfinite(value).all() for value in before)
            second(model)
            if second is not CALLS["fit"]:
                for old, new in zip(before, values(model), strict=True):
                    np.testing.assert_array_equal(new, old)


def test_training_leaves_a_model_alone_that_lent_its_weights():
    first, second = averaging_model(), averaging_model()
    k2s.models.copy_encoder(second, first)
    before = first.predict_on_batch(INPUTS)
    CALLS["fit"](second)
    np.testing.assert_array_equal(first.predict_on_batch(INPUTS), before)


def raise_here(*args, **kwargs):
    raise ArithmeticError("here")


@pytest.mark.parametrize("name", ["fit", "predict", "search"])
def test_a_call_that_fails_in_its_first_step_takes_nothing(name):
    model = averaging_model(use_ema=False)  # Keras ends with the average
    before = model.get_weights()
    broken = model.optimizer if name == "fit" else model
    method = {"fit": "apply", "predict": "call", "search": "encode"}[name]
    vars(broken)[method] = raise_here
    with pytest.raises(ArithmeticError):
        CALLS[name](model)
    for old, new in zip(before, model.get_weights(), strict=True):
        np.testing.assert_array_equal(new, old)


def test_predict_is_interrupted():
    model = averaging_model()
    inference = model.inference
    expected = inference.predict_on_batch(SOURCE)

    class Interrupt(keras.callbacks.Callback):
        def on_predict_batch_end(self, batch, logs=None):
            raise KeyboardInterrupt

    for asked, inputs in ((inference, SOURCE), (model, INPUTS)):
        with pytest.raises(KeyboardInterrupt):
            asked.predict(inputs, callbacks=[Interrupt()], verbose=0)
    found = inference.predict_on_batch(SOURCE)
    np.testing.assert_array_equal(found["scores"], expected["scores"])


def test_several_steps_an_execution():
    if keras.backend.backend() == "torch":
        pytest.skip("Keras has them for TensorFlow and JAX")
    model = averaging_model()
    expected = model.predict(INPUTS, batch_size=1, verbose=0)
    model.compile(steps_per_execution=2)
    found = model.predict(INPUTS, batch_size=1, verbose=0)
    np.testing.assert_allclose(found, expected, atol=1e-6)
