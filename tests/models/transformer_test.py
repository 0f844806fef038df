"""Transformers in a model: tied weights, training, errors."""

import keras
import numpy as np
import pytest
from keras import ops

import keras_seq2seq as k2s
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.models import SIZES
from tests.helpers.models import shaken
from tests.helpers.transformers import parts
from tests.helpers.transformers import recurrent_decoder
from tests.helpers.transformers import recurrent_encoder
from tests.helpers.transformers import transformer_model

pytestmark = pytest.mark.eager

COMMON = {**SIZES, "source_vocabulary_size": 8}


@pytest.mark.parametrize("bridge", ["dense", "copy"])
def test_a_transformer_has_no_states_for_a_bridge(bridge):
    encoder, _ = parts()
    with pytest.raises(ValueError, match="has none.*bridge='mean'"):
        k2s.models.Seq2Seq(encoder, recurrent_decoder(bridge), **SIZES)


def test_tied_weights_are_one_variable():
    counts = {}
    for tie in ("none", "target", "all"):
        model = transformer_model(sizes=COMMON, tie_weights=tie)
        counts[tie] = model.count_params()
    table, bias = 8 * 4, 8
    assert counts["none"] - counts["target"] == table + bias
    assert counts["target"] - counts["all"] == table
    assert model.source_embedding is model.target_embedding
    assert model.output_layer.embedding is model.target_embedding


def test_logits_of_tied_weights(tmp_path):
    """The decoder's output times the table, worked out here."""
    model = shaken(transformer_model(sizes=COMMON, tie_weights="all"))
    inputs, _, _ = model_batch(model)
    cache, states = model.initialize(
        keras.tree.map_structure(ops.convert_to_tensor, inputs)
    )
    embedded = model.target_embedding(inputs["decoder_token_ids"])
    outputs = ops.convert_to_numpy(
        model.decoder.decode_sequence(embedded, states, cache["decoder"])
    )
    (table,) = model.target_embedding.get_weights()
    logits = model.predict_on_batch(inputs)
    np.testing.assert_allclose(logits, outputs @ table.T, atol=1e-5)
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    assert loaded.source_embedding is loaded.target_embedding
    assert_close(loaded.predict_on_batch(inputs), logits)


def test_training_reaches_every_weight():
    model = transformer_model(tie_weights="target")
    before = model.get_weights()
    model.compile(
        keras.optimizers.SGD(1.0),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    model.train_on_batch(*model_batch(model))
    names = [v.path for v in model.trainable_variables]
    for name, old, new in zip(names, before, model.get_weights()):
        assert not np.array_equal(old, new), name


def test_errors():
    with pytest.raises(ValueError, match="`tie_weights`.*=True"):
        transformer_model(tie_weights=True)
    with pytest.raises(ValueError, match="size=9, target_vocabulary_size=8"):
        transformer_model(tie_weights="all")
    encoder, _ = parts()
    decoder = recurrent_decoder("dense")
    with pytest.raises(ValueError, match="width, 4.*width 12"):
        k2s.models.Seq2Seq(
            recurrent_encoder(), decoder, tie_weights="target", **SIZES
        )
    model = transformer_model(k2s.layers.LearnedPosition(9))
    search = k2s.search.GreedySearch(max_length=10)
    with pytest.raises(ValueError, match="max_length=9.*: length=10"):
        k2s.models.InferenceModel(model, search)(np.ones((1, 3), "int32"))
    with pytest.raises(ValueError, match="max_length=9.*: length=11"):
        model.encode({"encoder_token_ids": ops.ones((1, 11), "int32")})
