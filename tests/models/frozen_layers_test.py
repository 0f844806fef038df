"""What is not trained stays so, in what is saved and loaded."""

import keras
import pytest

import keras_seq2seq as k2s
from tests.helpers.models import SIZES


def decoder(cell, bridge="dense"):
    return k2s.layers.RecurrentDecoder(cell, bridge=bridge)


PARTS = {
    # with layers of their own, made in the constructor or when they are built
    "encoder": lambda m: m.encoder,
    "cell": lambda m: m.decoder.cell,
    "bridge": lambda m: m.decoder.bridge,
    "readout": lambda m: m.readout,
    "score": lambda m: m.decoder.cell.attention.score,
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
