"""Each battery finds what is broken."""

import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq import layers
from keras_seq2seq import search
from keras_seq2seq import testing
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.models import gru_model
from tests.helpers.models import shaken

register = keras.saving.register_keras_serializable("tests")


class Forgetful(layers.DirectReadout):
    def get_config(self):
        return {"name": self.name}


@register
class MixesPlaces(layers.AdditiveScore):
    def energies(self, query, keys):
        energies = super().energies(query, keys)
        return energies - ops.mean(energies, axis=-1, keepdims=True)


@register
class SeesPadding(layers.CoverageScore):
    def energies(self, query, keys, state):
        energies = super().energies(query, keys, state)
        return energies - ops.mean(energies, axis=-1, keepdims=True)


@register
class SharesItsState(layers.CoverageScore):
    def next_state(self, state, attention_scores, keys):
        state = super().next_state(state, attention_scores, keys)
        return ops.zeros_like(state) + ops.mean(state, axis=1, keepdims=True)


@register
class Counts(layers.BahdanauCell):
    steps = 0

    def update(self, inputs, cell_states, training=False):
        self.steps = self.steps + 1
        return super().update(inputs, cell_states, training)


@register
class IgnoresTheMask(layers.BahdanauCell):
    def prepare_memory(self, memory, memory_mask=None):
        return super().prepare_memory(memory)


@register
class MixesBeams(search.BeamSearch):
    def _choose(self, *args):
        new, live = super()._choose(*args)
        return new, {**live, "parents": ops.zeros_like(live["parents"])}


@register
class NeverEnds(search.GreedySearch):
    def _advance(self, *args):
        record = super()._advance(*args)
        return {**record, "done": ops.zeros_like(record["done"])}


@register
class LooksAhead(layers.DirectReadout):
    def call(self, outputs, embedded, training=False):
        if len(outputs.shape) == 2:
            return outputs
        return outputs + ops.flip(ops.cumsum(outputs, axis=1), axis=1)


def test_serialization():
    with pytest.raises(AssertionError, match="lacks the arguments.*dropout"):
        testing.run_serialization_test(Forgetful())


@pytest.mark.parametrize(
    "kind, message",
    [
        (MixesPlaces, "beside padding"),
        (SeesPadding, "beside padding"),
        (SharesItsState, "next state of query 0 alone"),
    ],
)
def test_score(kind, message):
    with pytest.raises(AssertionError, match=message):
        testing.run_score_test(kind())


@pytest.mark.parametrize(
    "kind, message",
    [(Counts, "A step changes an attribute"), (IgnoresTheMask, "masked place")],
)
def test_cell(kind, message):
    with pytest.raises(AssertionError, match=message):
        testing.run_cell_test(kind(keras.layers.GRUCell(3)))


@pytest.mark.parametrize("broken", [MixesBeams(3), NeverEnds()])
def test_search(broken):
    with pytest.raises(AssertionError):
        testing.run_search_test(broken)


def test_model():
    model = gru_model()
    config = {**model.get_config(), "readout": LooksAhead()}
    broken = shaken(type(model).from_config(config))
    with pytest.raises(AssertionError, match="step 0 against the sequence"):
        testing.run_model_test(broken)


def test_a_model_with_a_loss_on_its_attention():
    config = {**gru_model().get_config(), "attention_loss": "score_function"}
    model = shaken(Seq2Seq.from_config(config))
    testing.run_model_test(model, policies=())


@pytest.mark.parametrize("with_mask", [False, True])
def test_a_model_on_raw_input(with_mask):
    model = Seq2Seq.from_preset(
        "luong_2015",
        source_shape=(None, 3),
        use_padding_mask=with_mask,
        target_vocabulary_size=5,
        units=4,
        embedding_dim=2,
    )
    testing.run_model_test(shaken(model), policies=())


@pytest.mark.parametrize("name", ["score", "cell", "search", "model"])
def test_what_a_battery_is_for(name):
    with pytest.raises(TypeError, match=f"`{name}` must be a `.*`GRUCell`"):
        getattr(testing, f"run_{name}_test")(keras.layers.GRUCell(4))


def test_a_model_that_was_trained():
    model = gru_model()
    model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(True))
    model.train_on_batch(*model_batch(model))
    testing.run_serialization_test(model)


def test_batches_of_ones_own():
    source = np.array([[4, 5, 6], [7, 0, 0]], "int32")
    target = np.array([[1, 4], [1, 5]], "int32")
    inputs = {"encoder_token_ids": source, "decoder_token_ids": target}
    batch = inputs, np.array([[4, 2], [5, 2]]), np.ones((2, 2), "float32")
    testing.run_model_test(shaken(gru_model()), batch, policies=())
    rng = np.random.default_rng(0)
    batch = {
        "inputs": rng.normal(size=(2, 3, 5)),
        "memory": rng.normal(size=(2, 4, 6)),
        "memory_mask": np.array([[True] * 4, [True, False, False, False]]),
    }
    cell = layers.BahdanauCell(keras.layers.GRUCell(3))
    testing.run_cell_test(cell, batch)
    with pytest.raises(ValueError, match="`batch` must be a dict of.*memory"):
        testing.run_cell_test(cell, {"inputs": batch["inputs"]})
