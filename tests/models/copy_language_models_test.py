import keras
import numpy as np
import pytest
from keras import ops

import keras_seq2seq as k2s
from keras_seq2seq.testing import assert_close

SOURCE = np.array([[4, 5, 6, 7], [7, 4, 0, 0]], "int32")
LENGTHS = [4, 2]


def language_model(num_layers=2, vocabulary_size=9, **settings):
    settings = {"units": 3, "embedding_dim": 3, **settings}
    return k2s.models.LanguageModel.from_preset(
        "zaremba_2014",
        vocabulary_size=vocabulary_size,
        num_layers=num_layers,
        **settings,
    )


def model_of(encoder, embedding_dim=6, **kwargs):
    cell = k2s.layers.LuongCell(keras.layers.GRUCell(4))
    sizes = {"source_vocabulary_size": 9, "target_vocabulary_size": 8}
    return k2s.models.Seq2Seq(
        encoder,
        k2s.layers.RecurrentDecoder(cell, bridge="mean"),
        embedding_dim=embedding_dim,
        **{**sizes, **kwargs},
    )


def mix(num_layers=2, kind=keras.layers.LSTM, **kwargs):
    return k2s.layers.LayerMix([kind(3, **kwargs) for _ in range(num_layers)])


def outputs_of(language_model, token_ids):
    """What its layers say of one row, from the embedding up, by Keras."""
    x = language_model.source_embedding(np.array([token_ids], "int32"))
    outputs = [x]
    for cell in language_model.decoder.cell.cells:
        x = keras.layers.RNN(cell, return_sequences=True)(x)
        outputs.append(x)
    return [ops.convert_to_numpy(x)[0] for x in outputs]


def test_the_layers_are_those_of_the_models():
    forward, backward = language_model(), language_model()
    encoder = mix()
    model = model_of(encoder)
    own = model.decoder.get_weights()
    k2s.models.copy_language_models(model, forward, backward)
    assert_close(model.decoder.get_weights(), own, tolerance=0)
    for layer in range(3):
        encoder.layer_weights.assign(100.0 * np.eye(3)[layer])
        memory, _, _ = model.encode({"encoder_token_ids": SOURCE})
        for row, length in enumerate(LENGTHS):
            token_ids = SOURCE[row, :length]
            there = outputs_of(forward, token_ids)[layer]
            back = outputs_of(backward, token_ids[::-1])[layer][::-1]
            expected = np.hstack([there, back])
            assert_close(memory[row, :length], expected)


def test_nothing_is_shared():
    forward, backward = language_model(), language_model()
    model = model_of(mix())
    k2s.models.copy_language_models(model, forward, backward)
    before = forward.get_weights()
    for weight in model.weights:
        weight.assign(weight + 1)
    assert_close(forward.get_weights(), before, tolerance=0)


def test_errors():
    copy, good = k2s.models.copy_language_models, language_model()
    with pytest.raises(TypeError, match="`model.encoder` must be a `LayerMix`"):
        copy(model_of(k2s.layers.IdentityEncoder()), good, good)
    with pytest.raises(TypeError, match="`backward` must be a `LanguageModel`"):
        copy(model_of(mix()), good, model_of(mix()))
    for other, change in (
        (language_model(num_layers=1), "num_layers from 1 to 2"),
        (language_model(cell="gru"), "GRUCell"),
        (language_model(units=4), "units from 4 to 3"),
    ):
        with pytest.raises(ValueError, match=f"cells of `backward`.*{change}"):
            copy(model_of(mix()), good, other)
    with pytest.raises(ValueError, match=r"\(9, 6\).*\(9, 3\), \(8, 3\)"):
        copy(model_of(mix()), good, language_model(vocabulary_size=8))
    transformer = k2s.models.LanguageModel(
        k2s.layers.PrefixDecoder(k2s.layers.TransformerBlock(1, 4), 1),
        vocabulary_size=9,
        embedding_dim=3,
    )
    with pytest.raises(TypeError, match="`forward.decoder` must be"):
        copy(model_of(mix()), transformer, good)
