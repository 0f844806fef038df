import inspect

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.models import PRESETS
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing import run_model_test
from keras_seq2seq.testing.model_batch import model_batch
from keras_seq2seq.testing.model_batch import with_more_padding
from tests.helpers.models import SIZES
from tests.helpers.models import gru_model
from tests.helpers.models import lstm_model
from tests.helpers.models import shaken
from tests.helpers.transformers import transformer_model

RECURRENT = sorted(
    name
    for name, preset in PRESETS.items()
    if name.endswith("_small")
    and "units" in inspect.signature(preset).parameters
)
LOSS = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@pytest.mark.parametrize("preset", RECURRENT)
def test_zoo(preset):
    model = k2s.models.Seq2Seq.from_preset(preset, units=4, **SIZES)
    run_model_test(shaken(model), policies=["mixed_float16"])


def test_stacked_lstm():
    run_model_test(shaken(lstm_model()), policies=["mixed_bfloat16"])


def test_other_padding_and_a_mask_input():
    model = gru_model(
        pad_token_id=7, source_pad_token_id=8, use_padding_mask=True
    )
    run_model_test(shaken(model), policies=[])


def test_a_padding_id_of_the_source():
    """The same sources under another padding id have the same answers."""
    model, other = gru_model(), gru_model(source_pad_token_id=8)
    other.set_weights(shaken(model).get_weights())
    assert (model.source.pad_token_id, other.source.pad_token_id) == (0, 8)
    target = np.array([[1, 4, 5], [1, 0, 0], [1, 6, 0]])
    found = []
    for one, pad in ((model, 0), (other, 8)):
        source = np.array([[4, 5, 6], [5, pad, pad], [pad, pad, pad]])
        search = k2s.search.BeamSearch(3, max_length=5)
        inference = k2s.models.InferenceModel(one, search)
        logits = one.predict_on_batch(
            {"encoder_token_ids": source, "decoder_token_ids": target}
        )
        found.append((logits[target > 0], inference.predict_on_batch(source)))
    assert_close(found[1], found[0])


def test_an_empty_source_alone():
    model = shaken(gru_model())
    inputs, _, _ = model_batch(model)
    logits = model.predict_on_batch(inputs)
    # Row 2 is all padding; alone it may have one column only.
    alone = model.predict_on_batch(
        {
            "encoder_token_ids": np.zeros((1, 1), "int32"),
            "decoder_token_ids": inputs["decoder_token_ids"][2:3],
        }
    )
    assert_close(alone, logits[2:3])


def test_compiled_loss_and_metrics_are_per_real_token():
    model = shaken(gru_model(dropout=0.0))
    model.compile("sgd", LOSS, weighted_metrics=["accuracy"])
    batch = model_batch(model)
    inputs, targets, weights = batch
    logits = keras.ops.convert_to_numpy(model(inputs)).astype("float64")
    log_probs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    chosen = np.take_along_axis(log_probs, targets[..., None], -1)[..., 0]
    loss = -np.sum(chosen * weights) / np.sum(weights)
    right = np.sum((logits.argmax(-1) == targets) * weights)
    for x in (batch, with_more_padding(model, *batch)):
        model.reset_metrics()
        results = model.test_on_batch(*x)
        np.testing.assert_allclose(
            results, [loss, right / np.sum(weights)], rtol=1e-5
        )


def test_logits_are_float32_and_masked():
    model = gru_model()
    inputs, _, weights = model_batch(model)
    logits = model(inputs)
    assert keras.backend.standardize_dtype(logits.dtype) == "float32"
    mask = keras.ops.convert_to_numpy(logits._keras_mask)
    np.testing.assert_array_equal(mask, weights > 0)


def dropping_model():
    """Dropout everywhere: inside the cells and around them."""
    cell = keras.layers.GRUCell(4, dropout=0.3, recurrent_dropout=0.3)
    model = k2s.models.Seq2Seq(
        k2s.layers.RecurrentEncoder(
            keras.layers.GRUCell(4, recurrent_dropout=0.3), dropout=0.3
        ),
        k2s.layers.RecurrentDecoder(
            k2s.layers.BahdanauCell(cell), bridge="copy", dropout=0.3
        ),
        readout=k2s.layers.DirectReadout(0.3),
        **SIZES,
    )
    model.compile(keras.optimizers.SGD(0.0), LOSS)
    return model


def test_dropout():
    model = dropping_model()
    batch = model_batch(model)
    quiet = model.predict_on_batch(batch[0])
    losses = [float(model.train_on_batch(*batch)) for _ in range(3)]
    assert len({round(x, 6) for x in losses}) == 3
    assert model.decoder.cell.cell._dropout_mask is None
    assert model.decoder.cell.cell._recurrent_dropout_mask is None
    assert_close(model.predict_on_batch(batch[0]), quiet, "no dropout")


class CountingReadout(k2s.layers.DirectReadout):
    """Counts how often Python runs through it: traces, on compiled backends."""

    calls = 0

    def call(self, outputs, embedded, training=False):
        CountingReadout.calls += 1
        return super().call(outputs, embedded, training=training)


class Buckets(keras.utils.PyDataset):
    """Two buckets of equal batches, each twice."""

    def __init__(self, model):
        super().__init__()
        small = model_batch(model)
        self.batches = [small, with_more_padding(model, *small)] * 2

    def __len__(self):
        return len(self.batches)

    def __getitem__(self, index):
        return self.batches[index]


@pytest.mark.skipif(
    keras.backend.backend() == "torch", reason="PyTorch runs eagerly"
)
def test_traces_are_bounded_by_the_buckets():
    cell = k2s.layers.LuongCell(keras.layers.GRUCell(4))
    model = k2s.models.Seq2Seq(
        k2s.layers.RecurrentEncoder(keras.layers.GRUCell(4)),
        k2s.layers.RecurrentDecoder(cell, bridge="copy"),
        readout=CountingReadout(),
        **SIZES,
    )
    model.compile(keras.optimizers.Adam(0.05), LOSS)
    buckets = Buckets(model)
    CountingReadout.calls = 0
    history = model.fit(buckets, verbose=0, shuffle=False)
    # One a bucket, and Keras's symbolic build of the loss.
    assert CountingReadout.calls <= 3
    CountingReadout.calls = 0
    more = model.fit(buckets, epochs=5, verbose=0, shuffle=False)
    assert CountingReadout.calls == 0
    assert more.history["loss"][-1] < 0.8 * history.history["loss"][0]

    search = k2s.search.BeamSearch(3, max_length=5)
    inference = k2s.models.InferenceModel(model, search)
    sources = [x["encoder_token_ids"] for (x, _, _) in buckets.batches]
    for source in sources[:2]:
        inference.predict_on_batch(source)
    # The loop's body may be traced more than once, but not for each step.
    assert CountingReadout.calls <= 6
    CountingReadout.calls = 0
    for source in sources[2:]:
        inference.predict_on_batch(source)
    assert CountingReadout.calls == 0


def test_compile_config_belongs_to_no_backend(tmp_path):
    model = gru_model()
    model.compile("adam", LOSS, weighted_metrics=["accuracy"])
    model.optimizer.build(model.trainable_variables)
    assert "jit_compile" not in model.get_compile_config()
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    assert loaded.jit_compile == model.jit_compile
    assert isinstance(loaded.optimizer, keras.optimizers.Adam)
    assert loaded.loss.from_logits


@pytest.mark.parametrize(
    "argument, value",
    [
        ("source_vocabulary_size", 0),
        ("target_vocabulary_size", 2.5),
        ("embedding_dim", None),
        ("pad_token_id", -1),
        ("readout", "shallow"),
        ("encoder", "lstm"),
        ("decoder", "lstm"),
    ],
)
def test_errors(argument, value):
    settings = {
        "encoder": k2s.layers.RecurrentEncoder(keras.layers.GRUCell(4)),
        "decoder": k2s.layers.RecurrentDecoder(
            k2s.layers.LuongCell(keras.layers.GRUCell(4))
        ),
        **SIZES,
        argument: value,
    }
    with pytest.raises((TypeError, ValueError), match=f"`{argument}` must be"):
        k2s.models.Seq2Seq(**settings)


def test_padding_ids_outside_a_vocabulary():
    with pytest.raises(ValueError, match="`pad_token_id` must .*=8"):
        gru_model(pad_token_id=8)  # the target vocabulary has 0 to 7
    with pytest.raises(ValueError, match="`source_pad_token_id` must .*=9"):
        gru_model(source_pad_token_id=9)
    sizes = {**SIZES, "source_vocabulary_size": 8}
    with pytest.raises(ValueError, match="one padding id for both sides"):
        transformer_model(sizes=sizes, tie_weights="all", source_pad_token_id=3)


def test_bridge_errors_name_both_sides():
    encoder = k2s.layers.RecurrentEncoder(keras.layers.GRUCell(3))
    cell = k2s.layers.LuongCell(keras.layers.LSTMCell(4))
    decoder = k2s.layers.RecurrentDecoder(cell, bridge="copy")
    with pytest.raises(ValueError, match=r"encoder=\[3\], decoder=\[4, 4\]"):
        k2s.models.Seq2Seq(encoder, decoder, **SIZES)


def test_unknown_preset():
    with pytest.raises(ValueError, match="`preset`.*luong_2015.*='rnn'"):
        k2s.models.Seq2Seq.from_preset("rnn", **SIZES)


def test_unknown_setting_of_a_preset():
    sizes = {name: SIZES[name] for name in SIZES if "vocabulary" in name}
    with pytest.raises(TypeError, match="'hidden_dim'.*Received: units=3"):
        k2s.models.Seq2Seq.from_preset("transformer_2017", units=3, **sizes)
    with pytest.raises(TypeError, match="`zaremba_2014` has.*unit=3"):
        k2s.models.LanguageModel.from_preset(
            "zaremba_2014", unit=3, vocabulary_size=9
        )


@pytest.mark.parametrize(
    "setting", [{"num_layers": 0}, {"num_layers": 1.5}, {"units": "8"}]
)
def test_settings_are_of_the_kind_of_their_defaults(setting):
    sizes = {name: SIZES[name] for name in SIZES if "vocabulary" in name}
    ((name, value),) = setting.items()
    message = f"`{name}` must be an integer of at least 1.*{name}={value!r}"
    with pytest.raises(ValueError, match=message):
        k2s.models.Seq2Seq.from_preset("luong_2015", **sizes, **setting)
    with pytest.raises(TypeError, match="`input_feeding` must be a `bool`"):
        k2s.models.Seq2Seq.from_preset(
            "luong_2015", **sizes, input_feeding="yes"
        )


def test_a_score_of_ones_own_in_a_preset():
    score = k2s.layers.AdditiveScore(3)
    model = k2s.models.Seq2Seq.from_preset(
        "luong_2015_small",
        source_vocabulary_size=7,
        target_vocabulary_size=7,
        score=score,
    )
    assert model.decoder.cell.attention.score is score


def test_a_preset_on_raw_input():
    model = k2s.models.Seq2Seq.from_preset(
        "chorowski_2015_small",
        source_shape=(None, 3),
        target_vocabulary_size=7,
        units=4,
        embedding_dim=2,
        pad_token_id=6,
    )
    inputs = {
        "encoder_inputs": np.ones((2, 5, 3), "float32"),
        "decoder_token_ids": np.ones((2, 4), "int32"),
    }
    assert tuple(model(inputs).shape) == (2, 4, 7)
    assert model.pad_token_id == 6
    search = k2s.search.GreedySearch(max_length=3)
    inference = k2s.models.InferenceModel(model, search)
    found = inference.predict_on_batch(inputs["encoder_inputs"])
    assert found["token_ids"].shape == (2, 1, 3)


def test_a_preset_with_arguments_of_the_model():
    model = k2s.models.Seq2Seq.from_preset(
        "luong_2015_small",
        source_vocabulary_size=7,
        target_vocabulary_size=7,
        units=4,
        embedding_dim=2,
        use_padding_mask=True,
        dtype="mixed_bfloat16",
    )
    assert model.source.use_padding_mask
    assert model.target_embedding.compute_dtype == "bfloat16"
