"""Attention of each layer and head, of given targets and of hypotheses."""

import keras
import numpy as np
import pytest
from keras import ops

import keras_seq2seq as k2s
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing.model_batch import model_batch
from tests.models_for_tests import SIZES
from tests.models_for_tests import gru_model
from tests.models_for_tests import shaken
from tests.models_for_transformers import transformer_model


def single_model():
    block = k2s.layers.TransformerBlock(2, 6)
    return k2s.models.Seq2Seq(
        k2s.layers.IdentityEncoder(),
        k2s.layers.PrefixDecoder(block, 2),
        **SIZES,
    )


MODELS = {
    "transformer": (transformer_model, ["block_0", "block_1"], 2),
    "single": (single_model, ["block_0", "block_1"], 2),
    "recurrent": (gru_model, ["attention"], 1),
}


@pytest.mark.parametrize("name", MODELS)
def test_of_hypotheses(name):
    make, layers, heads = MODELS[name]
    model = shaken(make())
    inputs, _, _ = model_batch(model)
    found = {
        wanted: k2s.models.InferenceModel(
            model,
            k2s.search.BeamSearch(3, max_length=5, n_best=2),
            return_attention_scores=wanted,
        ).predict_on_batch(inputs["encoder_token_ids"])
        for wanted in (True, "by_layer")
    }
    by_layer = found["by_layer"]["attention_scores"]
    assert sorted(by_layer) == layers
    lengths = found[True]["lengths"]
    real = np.arange(5) < lengths[..., None]
    seen = (inputs["encoder_token_ids"] != 0).any(axis=1)[:, None, None]
    for scores in by_layer.values():
        assert scores.shape == (4, 2, heads, 5, 5)
        sums = np.broadcast_to((real & seen)[:, :, None], scores.shape[:-1])
        assert_close(scores.sum(-1), sums.astype("float32"))
    if name != "single":  # there, shares of means and means of shares differ
        last = by_layer[layers[-1]].mean(axis=2)
        assert_close(last, found[True]["attention_scores"])


def test_heads_are_those_of_each_block():
    """Against the layers of the decoder, called by hand."""
    model = shaken(transformer_model())
    inputs, _, _ = model_batch(model)
    tensors = keras.tree.map_structure(ops.convert_to_tensor, inputs)
    memory, states = model.begin(tensors)
    _, by_layer = model.decode_forced(
        tensors["decoder_token_ids"], states, memory, by_layer=True
    )
    decoder = model.decoder
    x, _ = decoder.enter(model.target_embedding(tensors["decoder_token_ids"]))
    length = x.shape[1]
    ahead = np.tril(np.ones((length, length), bool))
    for i, block in enumerate(decoder.blocks):
        x, _, scores = block(
            x,
            memory["blocks"][i],
            seen=ops.array(ahead),
            memory_seen=ops.expand_dims(memory["mask"], (1, 2)),
        )
        assert_close(by_layer[f"block_{i}"], scores["memory"])


def test_of_a_task():
    task = k2s.tasks.TextToText.from_corpus(
        [("abc", "ABC"), ("b", "B")],
        "transformer_2017_small",
        hidden_dim=4,
        num_layers=2,
        num_heads=2,
        intermediate_dim=6,
        search=k2s.search.BeamSearch(2, max_length=5, n_best=2),
    )
    (found, _), _ = task.generate(
        ["abc", "b"], n_best=2, return_attention_scores="by_layer"
    )
    assert sorted(found.attention_scores) == ["block_0", "block_1"]
    for scores in found.attention_scores.values():
        assert scores.shape == (2, len(found.tokens), 3)


def test_errors():
    with pytest.raises(ValueError, match="`return_attention_scores`.*='all'"):
        k2s.models.InferenceModel(
            transformer_model(), return_attention_scores="all"
        )
