import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.testing import assert_close

pytestmark = pytest.mark.eager

SETTINGS = {
    "bahdanau_2015": {"units": 4, "embedding_dim": 3},
    "transformer_2017": {
        "hidden_dim": 4,
        "num_heads": 2,
        "num_layers": 2,
        "intermediate_dim": 6,
        "dropout": 0.0,
    },
}
SOURCE = np.array([[4, 5, 6], [7, 4, 0]], "int32")
TARGET = np.array([[1, 4], [1, 5]], "int32")


def made(preset="bahdanau_2015", target=8, source=9, **settings):
    return k2s.models.Seq2Seq.from_preset(
        preset,
        source_vocabulary_size=source,
        target_vocabulary_size=target,
        **{**SETTINGS[preset], **settings},
    )


def source_weights(model):
    return model.source_embedding.get_weights() + model.encoder.get_weights()


def step(model):
    model.compile(
        keras.optimizers.SGD(0.1),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    model.train_on_batch(
        {"encoder_token_ids": SOURCE, "decoder_token_ids": TARGET},
        np.array([[4, 2], [5, 2]]),
    )


@pytest.mark.parametrize("preset", SETTINGS)
def test_equal_then_frozen(preset):
    first, second = made(preset), made(preset, target=11)
    decoder = second.decoder.get_weights()
    k2s.models.copy_encoder(second, first)
    expected = source_weights(first)
    assert_close(source_weights(second), expected, tolerance=0)
    assert_close(second.decoder.get_weights(), decoder, tolerance=0)
    memory = [
        m.encode({"encoder_token_ids": SOURCE})[0] for m in (first, second)
    ]
    assert_close(*memory)
    second.encoder.trainable = second.source_embedding.trainable = False
    step(second)
    assert_close(source_weights(second), expected, tolerance=0)
    second.encoder.trainable = second.source_embedding.trainable = True
    step(second)
    assert not np.array_equal(source_weights(second)[0], expected[0])
    assert_close(source_weights(first), expected, tolerance=0)


def test_frozen_after_a_round_trip():
    model = made()
    model.encoder.trainable = model.source_embedding.trainable = False
    revived = type(model).from_config(model.get_config())
    revived.set_weights(model.get_weights())
    step(revived)
    assert_close(source_weights(revived), source_weights(model), tolerance=0)
    names = [w.path for w in revived.trainable_weights]
    assert len(names) == len(model.trainable_weights)


LIU = {
    "hidden_dim": 4,
    "num_heads": 2,
    "num_layers": 2,
    "intermediate_dim": 6,
    "dropout": 0.0,
}
SINGLE = {
    "liu_2018": LIU,
    "zaremba_sutskever_2014": {"units": 4, "embedding_dim": 4, "num_layers": 2},
}


@pytest.mark.parametrize("preset", SINGLE)
def test_one_network_for_source_and_target(preset):
    """What read the source in one model reads it in the other."""
    first, second = (
        k2s.models.Seq2Seq.from_preset(
            preset,
            source_vocabulary_size=9,
            target_vocabulary_size=target,
            **SINGLE[preset],
        )
        for target in (8, 11)
    )
    own = second.target_embedding.get_weights()
    k2s.models.copy_encoder(second, first)
    memories = [
        m.initialize({"encoder_token_ids": SOURCE}) for m in (first, second)
    ]
    for one, other in zip(*map(keras.tree.flatten, memories), strict=True):
        assert_close(one, other)
    assert_close(second.target_embedding.get_weights(), own, tolerance=0)


def language_model(**settings):
    return k2s.models.LanguageModel.from_preset(
        "zaremba_2014",
        vocabulary_size=9,
        **{**SINGLE["zaremba_sutskever_2014"], **settings},
    )


def test_from_a_language_model():
    """Its body; its table is the source's, and the target's where both are."""
    other = language_model()
    for ties in ("none", "all"):
        model = k2s.models.Seq2Seq.from_preset(
            "zaremba_sutskever_2014",
            source_vocabulary_size=9,
            target_vocabulary_size=9,
            tie_weights=ties,
            **SINGLE["zaremba_sutskever_2014"],
        )
        k2s.models.copy_encoder(model, other)
        assert_close(
            model.decoder.get_weights(), other.decoder.get_weights(), 0
        )
        table = other.source_embedding.get_weights()
        assert_close(model.source_embedding.get_weights(), table, tolerance=0)
        same = np.array_equal(model.target_embedding.get_weights(), table)
        assert same == (ties == "all")
    with pytest.raises(ValueError, match="same decoder.*units from 5 to 4"):
        k2s.models.copy_encoder(model, language_model(units=5))


def test_where_nothing_but_a_table_would_be_copied():
    with pytest.raises(
        ValueError, match="RecurrentEncoder, `other` with a RecurrentPrefix"
    ):
        k2s.models.copy_encoder(made(), language_model(embedding_dim=3))
    models = [
        k2s.models.Seq2Seq(
            Nothing(),
            k2s.layers.RecurrentDecoder(
                k2s.layers.LuongCell(keras.layers.GRUCell(3)), bridge="mean"
            ),
            source_vocabulary_size=6,
            target_vocabulary_size=6,
            embedding_dim=2,
        )
        for _ in range(2)
    ]
    with pytest.raises(
        ValueError, match="must have weights.*`Nothing` without"
    ):
        k2s.models.copy_encoder(*models)


@keras.saving.register_keras_serializable("copy_encoder_test")
class Nothing(k2s.layers.Encoder):
    """An encoder that hands over what it reads."""

    def call(self, inputs, mask=None):
        return inputs, {}

    def compute_output_shape(self, inputs_shape):
        return inputs_shape, {}


def test_other_shapes():
    first = made()
    with pytest.raises(ValueError, match=r"\(10, 3\).*other.*\(9, 3\)"):
        k2s.models.copy_encoder(made(source=10), first)
    with pytest.raises(ValueError, match="units from 4 to 5"):
        k2s.models.copy_encoder(made(units=5), first)
    with pytest.raises(ValueError, match="recurrent_enc.*transformer_enc"):
        other = made("transformer_2017", hidden_dim=3, num_heads=1)
        k2s.models.copy_encoder(other, first)
    with pytest.raises(TypeError, match="`other` must be a `Seq2Seq`"):
        k2s.models.copy_encoder(first, first.encoder)


def test_equal_shapes_of_another_meaning():
    """Heads, direction, activation, padding: the weights fit, and lie."""
    settings = {"hidden_dim": 4, "num_layers": 1, "intermediate_dim": 4}
    two, four = (
        made("transformer_2017", num_heads=heads, **settings)
        for heads in (2, 4)
    )
    with pytest.raises(ValueError, match="num_heads from 2 to 4"):
        k2s.models.copy_encoder(four, two)
    models = [
        k2s.models.Seq2Seq(
            k2s.layers.RecurrentEncoder(
                keras.layers.GRUCell(3, activation=activation), reverse=reverse
            ),
            k2s.layers.RecurrentDecoder(
                k2s.layers.LuongCell(keras.layers.GRUCell(3))
            ),
            source_pad_token_id=pad,
            source_vocabulary_size=6,
            target_vocabulary_size=6,
            embedding_dim=2,
        )
        for activation, reverse, pad in (
            ("tanh", False, 0),
            ("relu", False, 0),
            ("tanh", True, 0),
            ("tanh", False, 5),
        )
    ]
    changes = ("from 'tanh' to 'relu'", "reverse from False", "from 0 to 5")
    for other, change in zip(models[1:], changes, strict=True):
        with pytest.raises(ValueError, match=change):
            k2s.models.copy_encoder(other, models[0])
