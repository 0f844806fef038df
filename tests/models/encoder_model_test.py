import keras
import numpy as np
import pytest

from keras_seq2seq import layers
from keras_seq2seq.models import EncoderModel
from keras_seq2seq.models import LanguageModel
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing import run_serialization_test
from tests.helpers.models import SIZES
from tests.helpers.models import gru_model
from tests.helpers.models import lstm_model
from tests.helpers.models import shaken
from tests.helpers.numpy_cells import gru

SOURCE = np.array([[4, 5, 6, 7], [8, 4, 0, 0], [0, 0, 0, 0]], "int32")


def read(embedded, weights):
    """Outputs of a GRU in NumPy, of one row."""
    h, outputs = np.zeros((1, 4)), []
    for x in embedded:
        h = gru(x[None], h, *weights)
        outputs.append(h[0])
    return np.array(outputs).reshape(-1, 4)


def numpy_vectors(model):
    """Of `gru_model`: final states, and means of the memory."""
    (table,) = model.source_embedding.get_weights()
    weights = [w.astype("float64") for w in model.encoder.get_weights()]
    final, means = np.zeros((3, 8)), np.zeros((3, 8))
    for row, ids in enumerate(SOURCE):
        embedded = table[ids[ids > 0]].astype("float64")
        if len(embedded):
            forward = read(embedded, weights[:3])
            backward = read(embedded[::-1], weights[3:])
            final[row] = np.hstack([forward[-1], backward[-1]])
            means[row] = np.hstack([forward, backward]).mean(axis=0)
    return {"final": final, "mean": means}


@pytest.mark.parametrize("pooling", ["final", "mean"])
def test_against_numpy(pooling):
    model = shaken(gru_model())
    found = EncoderModel(model, pooling).predict_on_batch(SOURCE)
    assert_close(found, numpy_vectors(model)[pooling])
    by_name = {"encoder_token_ids": SOURCE}
    again = EncoderModel(model, pooling).predict(by_name, verbose=0)
    assert_close(again, found)


def test_the_top_layer_of_a_stack():
    """The hidden state, which is also the memory's last real place."""
    model = shaken(lstm_model())
    memory, _, _ = model.encode({"encoder_token_ids": SOURCE})
    memory = keras.ops.convert_to_numpy(memory)
    found = EncoderModel(model).predict_on_batch(SOURCE)
    assert_close(found[0], memory[0, 3])
    assert_close(found[1], memory[1, 1])


def test_battery():
    revived = run_serialization_test(EncoderModel(gru_model(), "mean"))
    assert revived.pooling == "mean"


def test_errors():
    model = gru_model()
    with pytest.raises(ValueError, match="`pooling`.*Received: pooling='max'"):
        EncoderModel(model, "max")
    with pytest.raises(TypeError, match="`model` must be a `Seq2Seq`"):
        EncoderModel(model.encoder)
    with pytest.raises(ValueError, match="must hold ids from 0 to 8"):
        EncoderModel(model).predict_on_batch(np.array([[99]]))
    decoder = layers.RecurrentPrefixDecoder(keras.layers.GRUCell(4))
    language = LanguageModel(decoder, vocabulary_size=8, embedding_dim=4)
    with pytest.raises(ValueError, match="Received: a language model"):
        EncoderModel(language)
    block = layers.TransformerBlock(2, 6)
    transformer = Seq2Seq(
        layers.TransformerEncoder(block, 1),
        layers.TransformerDecoder(layers.TransformerBlock(2, 6), 1),
        **SIZES,
    )
    with pytest.raises(ValueError, match='`TransformerEncoder`.*"mean"'):
        EncoderModel(transformer).predict_on_batch(SOURCE)
    found = EncoderModel(transformer, "mean").predict_on_batch(SOURCE)
    assert found.shape == (3, 4)
