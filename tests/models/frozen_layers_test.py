"""What is not trained stays so, in what is saved and loaded."""

import keras
import pytest

import keras_seq2seq as k2s
from tests.helpers.models import SIZES
from tests.helpers.transformers import transformer_model


def decoder(cell, bridge="dense"):
    return k2s.layers.RecurrentDecoder(cell, bridge=bridge)


PARTS = {
    # with layers of their own, made in the constructor or when they are built
    "encoder": lambda m: m.encoder,
    "cell": lambda m: m.decoder.cell,
    "bridge": lambda m: m.decoder.bridge,
    "readout": lambda m: m.readout,
    "score": lambda m: m.decoder.cell.attention.score,
    # in no config
    "attention_vector": lambda m: m.decoder.cell.attention_vector,
    "hidden": lambda m: m.readout.hidden,
    "projections": lambda m: m.decoder.bridge.projections[0],
    "source_embedding": lambda m: m.source_embedding,
    "output_layer": lambda m: m.output_layer,
}


@pytest.mark.parametrize("part", PARTS)
def test_a_part_stays_frozen(part):
    model = k2s.models.Seq2Seq(
        k2s.layers.RecurrentEncoder(keras.layers.GRU(3), bidirectional=True),
        decoder(k2s.layers.LuongCell(keras.layers.GRUCell(4), "additive")),
        readout="deep",
        **SIZES,
    )
    PARTS[part](model).trainable = False
    again = k2s.models.Seq2Seq.from_config(model.get_config())
    count = len(PARTS[part](model).weights)
    for one in (model, again):
        assert len(one.non_trainable_weights) == count > 0
        assert not PARTS[part](one).trainable_weights
    assert len(again.trainable_weights) == len(model.trainable_weights)


BLOCK = {
    "block": lambda m: m.decoder.blocks[1],
    "layer of a block": lambda m: m.encoder.blocks[0].feed_forward.outer,
}


@pytest.mark.parametrize("part", BLOCK)
def test_a_block_stays_frozen_in_a_file(part, tmp_path):
    model = transformer_model()
    BLOCK[part](model).trainable = False
    model.save(tmp_path / "model.keras")
    again = keras.saving.load_model(tmp_path / "model.keras")
    count = len(BLOCK[part](model).weights)
    assert len(again.non_trainable_weights) == count > 0
    assert not BLOCK[part](again).trainable_weights


def test_a_layer_stays_frozen_in_a_task(tmp_path):
    task = k2s.tasks.TextToText.from_corpus(
        [("ab", "ba")], "luong_2015", units=3, embedding_dim=3, num_layers=2
    )
    task.model.decoder.cell.attention_vector.trainable = False
    task.save(tmp_path / "task")
    loaded = k2s.tasks.load(tmp_path / "task").model
    assert [w.path.split("/")[-2:] for w in loaded.non_trainable_weights] == [
        ["attention_vector", "kernel"]
    ]
    assert len(loaded.weights) == len(task.model.weights)


def test_thawed_again():
    """What was frozen, in a file, can be trained again."""
    model = transformer_model()
    model.encoder.blocks[0].trainable = False
    again = k2s.models.Seq2Seq.from_config(model.get_config())
    again.encoder.blocks[0].trainable = True
    assert len(again.trainable_weights) == len(model.weights)
    assert again.get_config()["frozen"] == []


def test_a_layer_that_is_not_there():
    config = {**transformer_model().get_config(), "frozen": ["decoder.none"]}
    with pytest.raises(ValueError, match="`frozen` must.*'decoder.none'"):
        k2s.models.Seq2Seq.from_config(config)
