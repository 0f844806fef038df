import keras
import numpy as np
import pytest
from keras import ops

import keras_seq2seq as k2s
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing import run_encoder_test
from keras_seq2seq.testing import run_model_test
from keras_seq2seq.testing import run_serialization_test
from tests.helpers.numpy_cells import randomize
from tests.helpers.transformers import parts
from tests.helpers.transformers import recurrent_decoder

keras_hub = pytest.importorskip("keras_hub", exc_type=ImportError)
HUB = keras_hub.models
SETTINGS = {
    "vocabulary_size": 5,
    "num_layers": 1,
    "num_heads": 2,
    "hidden_dim": 4,
    "intermediate_dim": 6,
    "dropout": 0.1,
    "max_sequence_length": 9,
}
SIZES = {
    "source_vocabulary_size": 9,
    "target_vocabulary_size": 8,
    "embedding_dim": 4,
}
# Ids of the model, the backbone's and 4; 0 is padding.
TOKEN_IDS = np.array([[4, 8, 5, 6], [7, 5, 0, 0]], "int32")
MASK = TOKEN_IDS != 0


def backbone(name="DistilBert", **settings):
    made = getattr(HUB, f"{name}Backbone")(**{**SETTINGS, **settings})
    randomize(made)
    return made


def test_memory_is_what_the_backbone_gives():
    made = backbone("Bert")
    encoder = k2s.layers.BackboneEncoder(made)
    memory, states = encoder(TOKEN_IDS, mask=ops.array(MASK))
    assert states == {}
    expected = made(
        {
            "token_ids": np.maximum(TOKEN_IDS - 4, 0),
            "padding_mask": MASK.astype("int32"),
            "segment_ids": np.zeros_like(TOKEN_IDS),
        }
    )["sequence_output"]
    assert_close(memory, expected)
    shape, _ = encoder.compute_output_shape(TOKEN_IDS.shape)
    assert shape == tuple(memory.shape)


def test_ids_as_they_are():
    made = backbone("Roberta")
    encoder = k2s.layers.BackboneEncoder(made, first_token_id=0)
    memory, _ = encoder(TOKEN_IDS[:1] - 4)
    shifted = k2s.layers.BackboneEncoder(made)
    assert_close(shifted(TOKEN_IDS[:1])[0], memory)


def test_battery():
    run_encoder_test(k2s.layers.BackboneEncoder(backbone()))


@pytest.mark.parametrize("name", ["Bert", "DistilBert"])
def test_round_trip(name):
    encoder = k2s.layers.BackboneEncoder(backbone(name), first_token_id=2)
    revived = run_serialization_test(encoder)
    assert not revived.trainable_weights and not revived.trainable
    revived.backbone.set_weights(encoder.backbone.get_weights())
    assert_close(revived(TOKEN_IDS - 2)[0], encoder(TOKEN_IDS - 2)[0])


def transformer(encoder):
    return k2s.models.Seq2Seq(
        encoder, parts()[1], tie_weights="target", **SIZES
    )


def test_laws_frozen_before_a_transformer():
    model = transformer(k2s.layers.BackboneEncoder(backbone("Bert")))
    run_model_test(model, policies=["mixed_bfloat16"])


def test_laws_fine_tuned_before_a_recurrent_decoder():
    encoder = k2s.layers.BackboneEncoder(backbone(), trainable=True)
    model = k2s.models.Seq2Seq(encoder, recurrent_decoder("mean"), **SIZES)
    run_model_test(model, policies=["mixed_float16"])


def one_step(model):
    """Whether a step of training changes the backbone, and the rest."""
    model.compile(
        keras.optimizers.SGD(0.1),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    before = model.get_weights()
    inside = {id(w) for w in model.encoder.weights}
    model.train_on_batch(
        {
            "encoder_token_ids": TOKEN_IDS,
            "decoder_token_ids": TOKEN_IDS[:, :3] % 8,
        },
        TOKEN_IDS[:, 1:] % 8,
    )
    changed = {True: False, False: False}
    for w, old, new in zip(model.weights, before, model.get_weights()):
        changed[id(w) in inside] |= not np.array_equal(old, new)
    return changed[True], changed[False]


def test_frozen_stays_and_thawed_learns():
    model = transformer(k2s.layers.BackboneEncoder(backbone()))
    assert one_step(model) == (False, True)
    model = type(model).from_config(model.get_config())
    assert one_step(model) == (False, True)
    model.encoder.trainable = True
    assert one_step(model) == (True, True)
    model = type(model).from_config(model.get_config())
    assert one_step(model) == (True, True)


def test_frozen_runs_as_in_inference():
    encoder = k2s.layers.BackboneEncoder(backbone(dropout=0.9))
    expected, _ = encoder(TOKEN_IDS)
    assert_close(encoder(TOKEN_IDS, training=True)[0], expected)
    encoder.trainable = True
    drawn, _ = encoder(TOKEN_IDS, training=True)
    assert not np.allclose(*map(ops.convert_to_numpy, (drawn, expected)))


def test_a_source_longer_than_the_positions():
    encoder = k2s.layers.BackboneEncoder(backbone())
    with pytest.raises(
        ValueError, match="at most 9 tokens.*length 10.*Truncate it"
    ):
        encoder(np.full((1, 10), 4))


def test_a_vocabulary_that_the_backbone_does_not_know():
    encoder = k2s.layers.BackboneEncoder(backbone())
    with pytest.raises(ValueError, match="size=10, and an encoder of 9 ids"):
        k2s.models.Seq2Seq(
            encoder, parts()[1], **{**SIZES, "source_vocabulary_size": 10}
        )
    with pytest.raises(ValueError, match="needs `source_vocabulary_size`"):
        k2s.models.Seq2Seq(
            encoder,
            parts()[1],
            source_shape=(None,),
            target_vocabulary_size=8,
            embedding_dim=4,
        )


def test_no_source_embedding_to_tie():
    encoder = k2s.layers.BackboneEncoder(backbone())
    sizes = {**SIZES, "source_vocabulary_size": 8}
    with pytest.raises(ValueError, match="embeds its ids itself"):
        k2s.models.Seq2Seq(encoder, parts()[1], tie_weights="all", **sizes)


def test_a_backbone_that_does_not_fit():
    made = backbone("Bert")
    pooled = keras.Model(made.input, made.output["pooled_output"])
    with pytest.raises(ValueError, match=r"3 axes.*\(None, 4\)"):
        k2s.layers.BackboneEncoder(pooled)
    both = HUB.BartBackbone(**SETTINGS)
    with pytest.raises(ValueError, match="'decoder_token_ids'.*Model"):
        k2s.layers.BackboneEncoder(both)
    encoder_part = keras.Model(
        {
            name: both.input[name]
            for name in ("encoder_token_ids", "encoder_padding_mask")
        },
        both.output["encoder_sequence_output"],
    )
    memory, _ = k2s.layers.BackboneEncoder(encoder_part)(TOKEN_IDS)
    assert tuple(memory.shape) == (2, 4, 4)
    with pytest.raises(ValueError, match="backbone=Dense"):
        k2s.layers.BackboneEncoder(keras.layers.Dense(3))


def test_file(tmp_path):
    model = transformer(k2s.layers.BackboneEncoder(backbone("Bert")))
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    inputs = {"encoder_token_ids": TOKEN_IDS, "decoder_token_ids": TOKEN_IDS}
    inputs["decoder_token_ids"] = inputs["decoder_token_ids"] % 8
    assert_close(loaded(inputs), model(inputs))
    assert not loaded.encoder.trainable_weights
