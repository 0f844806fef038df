"""Transformers and hybrids under the laws."""

import keras
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.testing import run_model_test
from tests.helpers.models import SIZES
from tests.helpers.models import shaken
from tests.helpers.transformers import parts
from tests.helpers.transformers import recurrent_decoder
from tests.helpers.transformers import recurrent_encoder
from tests.helpers.transformers import transformer_model

COMMON = {**SIZES, "source_vocabulary_size": 8}


def test_laws():
    model = transformer_model(tie_weights="target")
    run_model_test(shaken(model), policies=["mixed_float16"])


def test_laws_of_the_other_choices():
    model = transformer_model(
        "rotary",
        COMMON,
        activation="gelu",
        normalize_first=True,
        tie_weights="all",
        pad_token_id=7,
        use_padding_mask=True,
    )
    run_model_test(shaken(model), policies=["mixed_bfloat16"])


def test_laws_without_positions_and_biases():
    model = transformer_model(None, use_bias=False)
    names = [w.path.rsplit("/", 1)[-1] for w in model.encoder.weights]
    assert "bias" not in names and "beta" in names  # the norms keep theirs
    # With other weights a norm divides by next to nothing, and TensorFlow's
    # graph is 5e-5 from its eager ops; in float64 they are equal.
    run_model_test(shaken(model, 1), policies=[])


def test_laws_of_relative_positions():
    position = k2s.layers.RelativePosition(num_buckets=4, max_distance=3)
    encoder, _ = parts(position)
    _, decoder = parts("relative")
    model = k2s.models.Seq2Seq(encoder, decoder, **SIZES)
    run_model_test(shaken(model), policies=["mixed_float16"])


def test_laws_of_a_recurrent_encoder():
    _, decoder = parts("learned")
    model = k2s.models.Seq2Seq(recurrent_encoder(), decoder, **SIZES)
    run_model_test(shaken(model), policies=[])


@pytest.mark.parametrize("position", ["sinusoidal", "relative"])
def test_laws_of_a_single_model(position):
    block = k2s.layers.TransformerBlock(2, 6, dropout=0.1)
    decoder = k2s.layers.PrefixDecoder(block, 2, position=position, dropout=0.1)
    model = k2s.models.Seq2Seq(
        k2s.layers.IdentityEncoder(), decoder, tie_weights="all", **COMMON
    )
    run_model_test(shaken(model), policies=["mixed_float16"])


def test_laws_of_a_recurrent_single_model():
    cells = [keras.layers.LSTMCell(4, dropout=0.2), keras.layers.GRUCell(4)]
    decoder = k2s.layers.RecurrentPrefixDecoder(
        keras.layers.StackedRNNCells(cells), dropout=0.1
    )
    model = k2s.models.Seq2Seq(
        k2s.layers.IdentityEncoder(), decoder, tie_weights="all", **COMMON
    )
    run_model_test(shaken(model), policies=["mixed_float16"])


def test_laws_of_a_recurrent_decoder():
    encoder, _ = parts("rotary")
    decoder = recurrent_decoder("mean")
    model = k2s.models.Seq2Seq(encoder, decoder, **SIZES)
    run_model_test(shaken(model), policies=["mixed_float16"])
