"""Settings that presets share: cells, scores, bridges, readouts, layers."""

import inspect

import keras
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.models.presets.recurrent_parts import CELLS
from tests.helpers.tiny_presets import RECURRENT
from tests.helpers.tiny_presets import TINY

SIZES = {"source_vocabulary_size": 9, "target_vocabulary_size": 8}
ALL = [name for name, settings in TINY.items() if settings is RECURRENT]
SINGLE = "zaremba_sutskever_2014_small"  # one network has no bridge
PRESETS = [name for name in ALL if name != SINGLE]


def model_of(preset, **settings):
    return k2s.models.Seq2Seq.from_preset(preset, **SIZES, **settings)


def cells_of(layer):
    """All cells within a layer, but for stacks of them."""
    return [
        inner
        for inner in layer._flatten_layers()
        if hasattr(inner, "state_size")
        and not isinstance(inner, (keras.layers.StackedRNNCells))
        and not isinstance(inner, (keras.layers.RNN, k2s.layers.DecoderCell))
        and not isinstance(inner, keras.layers.Bidirectional)
        and hasattr(inner, "units")
    ]


def test_the_settings_are_the_same_everywhere():
    shared = {"units", "embedding_dim", "num_layers", "cell", "bridge"}
    for name in PRESETS:
        known = inspect.signature(k2s.models.PRESETS[name]).parameters
        assert {*shared, "readout", "dropout"} <= {*known}
        attends = name.split("_")[0] not in ("sutskever", "cho")
        assert ("score" in known) == attends
    known = inspect.signature(k2s.models.PRESETS[SINGLE]).parameters
    assert {*shared, "readout", "dropout"} - {"bridge"} <= {*known}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_cell_by_name_on_both_sides(preset):
    kind = k2s.layers.MUT1Cell
    model = model_of(
        preset, **RECURRENT, num_layers=2, cell="mut1", bridge="dense"
    )
    for side in (model.encoder, model.decoder):
        found = cells_of(side)
        assert {type(cell) for cell in found} == {kind}


@pytest.mark.parametrize("name", CELLS)
def test_every_cell(name):
    model = model_of("bahdanau_2015", **RECURRENT, cell=name)
    assert {cell.units for cell in cells_of(model)} == {4}
    if name == "gru_reset_before":
        assert not any(cell.reset_after for cell in cells_of(model))


@pytest.mark.parametrize("preset", ["bahdanau_2015", "luong_2015_small"])
def test_a_cell_of_ones_own_brings_its_units(preset):
    cell = keras.layers.GRUCell(5, reset_after=False)
    for given in (cell, keras.saving.serialize_keras_object(cell)):
        model = model_of(preset, embedding_dim=3, cell=given)
        found = cells_of(model)
        assert len(found) >= 2 and cell not in found
        assert {c.units for c in found} == {5}
        assert not any(c.reset_after for c in found)
    with pytest.raises(ValueError, match="cell of 5 units, units=4. Leave one"):
        model_of(preset, embedding_dim=3, cell=cell, units=4)


def test_a_language_model_takes_a_cell():
    model = k2s.models.LanguageModel.from_preset(
        "zaremba_2014", vocabulary_size=8, **RECURRENT, cell="gru"
    )
    assert {type(c) for c in cells_of(model)} == {keras.layers.GRUCell}
    # none below the first layer: the decoder drops its inputs itself
    assert {c.name: c.dropout for c in cells_of(model)} == {
        "lstm_0": 0.0,
        "lstm_1": 0.5,
    }


ATTEND = [p for p in PRESETS if p.split("_")[0] not in ("sutskever", "cho")]


@pytest.mark.parametrize("preset", ATTEND)
def test_attention_is_a_name_of_score(preset):
    layers = k2s.layers
    whole = layers.AttentionMechanism("additive", "sparsemax")
    config = keras.saving.serialize_keras_object(whole)
    for given in (whole, config):
        for name in ("score", "attention"):
            model = model_of(preset, **RECURRENT, **{name: given})
            attention = model.decoder.cell.attention
            assert type(attention.score) is layers.AdditiveScore
            kind = layers.SparsemaxNormalizer
            assert type(attention.normalizer) is kind
    one, other = (
        model_of(preset, **RECURRENT, **{name: "concat"}).decoder.cell.attention
        for name in ("score", "attention")
    )
    assert type(one.score) is type(other.score) is layers.ConcatScore
    assert type(one.normalizer) is type(other.normalizer)


def test_attention_beside_a_score_or_without_one():
    with pytest.raises(ValueError, match="two names.*attention='dot'.*'dot'"):
        model_of("luong_2015", **RECURRENT, score="dot", attention="dot")
    with pytest.raises(TypeError, match="Received: attention='dot'"):
        model_of("sutskever_2014", **RECURRENT, attention="dot")


def test_scores_by_the_names_of_others():
    layers = k2s.layers
    for name, kind in {
        "dot": layers.DotProductScore,
        "general": layers.BilinearScore,
        "luong": layers.BilinearScore,
        "bahdanau": layers.AdditiveScore,
    }.items():
        for cell in (layers.LuongCell, layers.BahdanauCell):
            score = cell(keras.layers.GRUCell(4), name).attention.score
            assert type(score) is kind
    scaled = layers.AttentionMechanism("scaled_luong").score
    assert type(scaled) is layers.BilinearScore and scaled.use_scale
    normed = layers.AttentionMechanism("normed_bahdanau").score
    assert type(normed) is layers.AdditiveScore and normed.normalize


def test_a_bridge_and_a_readout_by_name():
    model = model_of(
        "luong_2015_small", **RECURRENT, bridge="zero", readout="deep"
    )
    assert isinstance(model.decoder.bridge, k2s.layers.ZeroBridge)
    assert isinstance(model.readout, k2s.layers.DeepReadout)
    assert model.readout.dropout == 0.1  # the preset's


def test_names_that_nobody_has():
    for name in ("cell", "score", "bridge", "readout"):
        with pytest.raises(ValueError, match=f"`{name}` must be one of.*=.x'"):
            model_of("luong_2015_small", **RECURRENT, **{name: "x"})
    with pytest.raises(ValueError, match="num_layers=3. Make it even"):
        model_of("luong_2015", **RECURRENT, num_layers=3, bidirectional=True)


def test_initializers_and_the_bias_of_the_output():
    uniform = keras.initializers.RandomUniform(-0.1, 0.1)
    settings = {
        "embeddings_initializer": uniform,
        "output_initializer": keras.saving.serialize_keras_object(uniform),
        "use_output_bias": False,
        "units": 16,
        "embedding_dim": 8,
    }
    model = model_of("bahdanau_2015_small", **settings)
    tables = [
        layer.get_weights()[0]
        for layer in (
            model.source_embedding,
            model.target_embedding,
            model.output_layer,
        )
    ]
    for table in tables:
        assert 0.08 < abs(table).max() <= 0.1
    assert abs(tables[0][:8] - tables[1]).max() > 0.05  # drawn apart
    assert len(model.output_layer.weights) == 1
    again = k2s.models.Seq2Seq.from_config(model.get_config())
    assert again.get_config() == model.get_config()
    assert abs(again.target_embedding.get_weights()[0]).max() <= 0.1
    names = k2s.models.LanguageModel.from_preset(
        "zaremba_2014", vocabulary_size=8, **settings
    )
    again = k2s.models.LanguageModel.from_config(names.get_config())
    assert len(again.output_layer.weights) == 1
    assert abs(again.source_embedding.get_weights()[0]).max() <= 0.1
    with pytest.raises(ValueError, match="unifom"):
        model_of("cho_2014", **RECURRENT, output_initializer="unifom")


# tensorflow/nmt, nmt/standard_hparams: what of a file shapes the graph.
UNIFORM = {  # init_op="uniform", init_weight=0.1
    "embeddings_initializer": keras.initializers.RandomUniform(-0.1, 0.1),
    "output_initializer": keras.initializers.RandomUniform(-0.1, 0.1),
    "use_output_bias": False,
}
NMT = {
    "iwslt15": {
        "preset": "luong_2015",
        "num_layers": 2,
        "bidirectional": True,  # encoder_type="bi"
        "score": "scaled_luong",
        "attention_vector": "linear",  # attention_layer_size
        "dropout": 0.2,
        **UNIFORM,
    },
    "wmt16_gnmt_4_layer": {
        "preset": "gnmt_2016",
        "num_layers": 4,
        "score": "normed_bahdanau",
        "residual": 2,  # num_encoder_layers - 2 residual layers
        "upper_context": "new",  # attention_architecture="gnmt_v2"
        "bridge": "layer",
        "dropout": 0.2,
        **UNIFORM,
    },
}


def lstm(inputs, units):
    return 4 * units * (inputs + units + 1)


def counted_by_hand(name, u):
    """Weights of the graphs that tensorflow/nmt builds, with u units."""
    source, target = SIZES.values()
    if name == "iwslt15":
        encoder = 2 * lstm(u, u)
        decoder = lstm(2 * u, u) + lstm(u, u)
        attention = 2 * u * u + 1 + (2 * u + u) * u
    else:
        encoder = 2 * lstm(u, u) + lstm(2 * u, u) + 2 * lstm(u, u)
        decoder = 4 * lstm(2 * u, u)
        attention = 2 * u * u + u + u + 1  # two layers, v, b and g
    return (source + 2 * target) * u + encoder + decoder + attention


@pytest.mark.parametrize("name", NMT)
def test_the_files_of_tensorflow_nmt(name):
    """Of any width: a file's own, up to 1024, makes 99 million weights."""
    settings = {**NMT[name], "units": 12, "embedding_dim": 12}
    model = model_of(settings.pop("preset"), **settings)
    if name == "iwslt15":
        # of the attention layer's input: [context of both directions; state]
        assert model.decoder.cell.value_dim == 24
    assert model.count_params() == counted_by_hand(name, 12)
    expected = {
        "iwslt15": [("forward", 0), ("backward", 0)],
        "wmt16_gnmt_4_layer": [("backward", 0)]
        + [("forward", i) for i in (1, 2, 3)],
    }
    assert [*map(tuple, model.decoder.bridge.mapping)] == expected[name]
