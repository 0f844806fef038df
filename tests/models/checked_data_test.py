"""Shapes that must agree and ids that must exist, before the first layer."""

import keras
import numpy as np
import pytest

from keras_seq2seq.models import InferenceModel
from keras_seq2seq.models import LanguageModel
from keras_seq2seq.models import ScoringModel
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search import GreedySearch
from keras_seq2seq.search import Sampling
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.models import SIZES
from tests.helpers.models import gru_model
from tests.helpers.models import shaken

WAYS = {  # into a model that is trained
    "fit": lambda m, x, y, w: m.fit(x, y, sample_weight=w, verbose=0),
    "validation": lambda m, x, y, w: m.fit(
        *model_batch(m)[:2], validation_data=(x, y, w), verbose=0
    ),
    "evaluate": lambda m, x, y, w: m.evaluate(x, y, verbose=0),
    "predict": lambda m, x, y, w: m.predict(x, verbose=0),
    "train_on_batch": lambda m, x, y, w: m.train_on_batch(x, y, w),
    "test_on_batch": lambda m, x, y, w: m.test_on_batch(x, y, w),
    "predict_on_batch": lambda m, x, y, w: m.predict_on_batch(x),
    "call": lambda m, x, y, w: m(keras.tree.map_structure(keras.ops.array, x)),
}
BY_VALUE = [name for name in WAYS if name != "call"]


@pytest.fixture(scope="module")
def model():
    return compiled(gru_model(use_padding_mask=True))


def compiled(model):
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile("sgd", loss)
    return model


def forced_inputs(model):
    inputs, targets, _ = model_batch(model)
    return {**inputs, "targets": targets}


def with_places(mask, places):
    """The mask with so many places."""
    return np.pad(mask, ((0, 0), (0, 9)))[:, :places]


@pytest.mark.parametrize("places", [1, 4, 6])
@pytest.mark.parametrize("way", WAYS)
def test_the_mask_has_the_shape_of_the_source(model, way, places):
    inputs, targets, weights = model_batch(model)
    mask = with_places(inputs["encoder_padding_mask"], places)
    inputs = {**inputs, "encoder_padding_mask": mask}
    expected = (
        r"`encoder_padding_mask` must be of shape \(batch_size, "
        r"source_length\), with the source_length of `encoder_token_ids`, 5. "
        rf"Received: encoder_padding_mask of shape \(4, {places}\)"
    )
    with pytest.raises(ValueError, match=expected):
        WAYS[way](model, inputs, targets, weights)


@pytest.mark.parametrize(
    "way", sorted({*BY_VALUE} - {"predict", "predict_on_batch"})
)
@pytest.mark.parametrize("token_id", [-1, 8, 2**40])
def test_targets_are_of_the_vocabulary(model, way, token_id):
    """JAX would count a target that does not exist as foretold for sure."""
    inputs, targets, weights = model_batch(model)
    targets = targets.astype("int64")
    targets[2, 0] = token_id
    expected = f"`y` must hold ids from 0 to 7.*with the id {token_id}. "
    with pytest.raises(ValueError, match=expected):
        WAYS[way](model, inputs, targets, weights)


@pytest.mark.parametrize("way", BY_VALUE)
@pytest.mark.parametrize("side", ["source", "target"])
def test_each_side_has_a_place(model, way, side):
    inputs, targets, weights = model_batch(model)
    name = {"source": "encoder", "target": "decoder"}[side]
    inputs = {n: x[:, :0] if name in n else x for n, x in inputs.items()}
    expected = f"have a {side}_length of at least 1.*one column of padding"
    with pytest.raises(ValueError, match=expected):
        WAYS[way](model, inputs, targets, weights)


def test_a_search_reads_a_place():
    inference = InferenceModel(gru_model(), GreedySearch(3))
    with pytest.raises(ValueError, match="source_length of at least 1"):
        inference.predict(np.zeros((4, 0), "int32"), verbose=0)


def test_ids_are_whole_numbers(model):
    inputs, targets, _ = model_batch(model)
    name = "decoder_token_ids"
    model.predict_on_batch({**inputs, name: inputs[name].astype("float32")})
    with pytest.raises(ValueError, match="`decoder_.*must hold integers"):
        model.predict_on_batch({**inputs, name: inputs[name] + 0.5})


@pytest.mark.parametrize("way", ["predict", "predict_on_batch", "__call__"])
def test_searches_and_forced_passes_too(model, way):
    options = {"verbose": 0} if way == "predict" else {}
    inputs = forced_inputs(model)
    inputs["encoder_padding_mask"] = np.ones((4, 1), "bool")
    forced = ScoringModel(model)
    with pytest.raises(ValueError, match="source_length of `encoder_token_"):
        getattr(forced, way)(inputs, **options)
    source = {n: x for n, x in inputs.items() if "encoder" in n}
    inference = InferenceModel(model, GreedySearch(3))
    with pytest.raises(ValueError, match="source_length of `encoder_token_"):
        getattr(inference, way)(source, **options)
    inputs = forced_inputs(model)
    inputs["targets"] = inputs["targets"][:, :1]
    with pytest.raises(ValueError, match="target_length of `decoder_token_"):
        getattr(forced, way)(inputs, **options)


@pytest.mark.parametrize("way", BY_VALUE)
@pytest.mark.parametrize("token_id", [-1, 9, 2**40])
@pytest.mark.parametrize("name", ["encoder_token_ids", "decoder_token_ids"])
def test_ids_are_of_the_vocabulary(model, way, name, token_id):
    inputs, targets, weights = model_batch(model)
    token_ids = inputs[name].astype("int64")
    token_ids[2, 0] = token_id  # masked in the source, and known all the same
    inputs = {**inputs, name: token_ids}
    expected = f"`{name}` must hold ids from 0 to .* with the id {token_id}. "
    with pytest.raises(ValueError, match=expected):
        WAYS[way](model, inputs, targets, weights)


@pytest.mark.parametrize("kind", [np.asarray, keras.ops.array])
def test_ids_of_a_search(kind):
    inference = InferenceModel(
        gru_model(), BeamSearch(2, max_length=3, constraints=["forced_prefix"])
    )
    source = model_batch(inference.model)[0]["encoder_token_ids"]
    with pytest.raises(ValueError, match="`encoder_token_ids` .* the id 9"):
        inference.predict_on_batch(kind(source + 9 - source.max()))
    given = {"encoder_token_ids": source, "prefix": [[8], [0], [0], [0]]}
    given["prefix"] = kind(given["prefix"])
    with pytest.raises(ValueError, match="`prefix` must hold ids from 0 to 7"):
        inference.predict(given, verbose=0)
    with pytest.raises(ValueError, match=r"`prefix` must be of .* shape \(4,"):
        inference.predict_on_batch({**given, "prefix": np.zeros(4, "int32")})


def test_ids_of_a_forced_pass(model):
    inputs = forced_inputs(model)
    inputs["targets"] = np.where(inputs["targets"] == 0, -1, 4)
    with pytest.raises(ValueError, match="`targets` must hold ids from 0 to 7"):
        ScoringModel(model).predict_on_batch(inputs)


def test_ids_of_a_language_model():
    model = LanguageModel.from_preset(
        "zaremba_2014_small", vocabulary_size=9, units=4, embedding_dim=3
    )
    with pytest.raises(ValueError, match="`encoder_token_ids` .* the id 9"):
        InferenceModel(model, GreedySearch(3)).predict_on_batch(
            np.array([[4, 9]])
        )


@pytest.mark.parametrize("name", ["seed", "banned_mask", "prefix"])
def test_rows_of_the_inputs_of_a_search(name):
    search = Sampling(
        max_length=3, constraints=["forced_prefix", "banned_mask"]
    )
    inference = InferenceModel(gru_model(), search)
    given = {
        "encoder_token_ids": model_batch(inference.model)[0][
            "encoder_token_ids"
        ],
        "seed": np.arange(4),
        "prefix": np.zeros((4, 2), "int32"),
        "banned_mask": np.zeros((4, 8), "bool"),
    }
    given[name] = given[name][:1]
    with pytest.raises(ValueError, match=f"`{name}` must be of shape .*, 4. R"):
        inference.predict_on_batch(given)
    given["banned_mask"] = np.zeros((4, 7), "bool")
    with pytest.raises(ValueError, match="must be (of shape|as wide as)"):
        inference.predict_on_batch(given)


@pytest.mark.parametrize("wide", [2**31, -(2**31) - 1, 2**40])
def test_seeds_are_of_32_bits(wide):
    """A backend would cut one: 2**40 would be the seed 0."""
    inference = InferenceModel(gru_model(), Sampling(max_length=3))
    ends = np.array([-(2**31), 2**31 - 1])
    given = {"encoder_token_ids": np.ones((2, 3), "int32"), "seed": ends}
    assert inference.predict_on_batch(given)["lengths"].shape == (2, 1)
    given["seed"] = np.array([0, wide])
    for method in (inference.predict, inference.predict_on_batch):
        with pytest.raises(ValueError, match=f"to 2147483647.*with {wide}"):
            method(given)


@pytest.mark.parametrize("shapes", [((4, 3), (4,)), ((4, 4), (4, 3))])
def test_targets_and_weights_fit_the_logits(model, shapes):
    inputs, _, _ = model_batch(model)
    targets, weights = map(np.ones, shapes)
    with pytest.raises(ValueError, match="the target_length of `logits`, 4"):
        model.train_on_batch(inputs, targets, weights)


@pytest.mark.parametrize("shape", [(4,), (4, 1), (4, 4)])
def test_weights_of_rows_and_of_places(model, shape):
    inputs, targets, _ = model_batch(model)
    compiled(model)  # TensorFlow's step takes weights of one rank
    loss = model.train_on_batch(inputs, targets, np.ones(shape))
    assert np.isfinite(loss)


def test_a_raw_source_has_a_mask_too():
    sizes = {n: x for n, x in SIZES.items() if n != "source_vocabulary_size"}
    parts = gru_model()
    model = Seq2Seq(
        type(parts.encoder).from_config(parts.encoder.get_config()),
        type(parts.decoder).from_config(parts.decoder.get_config()),
        source_shape=(None, 6),
        use_padding_mask=True,
        **sizes,
    )
    inputs = {
        "encoder_inputs": np.ones((2, 5, 6), "float32"),
        "encoder_padding_mask": np.ones((2, 4), "bool"),
        "decoder_token_ids": np.ones((2, 3), "int32"),
    }
    with pytest.raises(ValueError, match="source_length of `encoder_inputs`"):
        model.predict_on_batch(inputs)


def test_lengths_that_a_graph_does_not_know():
    """TensorFlow traces once for many lengths, and compares as it runs."""
    model = compiled(gru_model(use_padding_mask=True))
    inputs, targets, weights = model_batch(model)
    inputs["encoder_padding_mask"] = np.ones((4, 6), "bool")

    def batches():
        for length in (3, 5):
            source = inputs["encoder_token_ids"][:, :length]
            mask = inputs["encoder_padding_mask"][:, : length + (length == 5)]
            given = {"encoder_token_ids": source, "encoder_padding_mask": mask}
            yield {**inputs, **given}, targets, weights

    with pytest.raises(Exception, match="`encoder_padding_mask` must "):
        model.evaluate(batches(), verbose=0)


def test_datasets_are_left_alone():
    model = compiled(gru_model(use_padding_mask=True))
    batch = model_batch(model)

    class Batches(keras.utils.PyDataset):
        def __len__(self):
            return 2

        def __getitem__(self, index):
            return batch

    weights = shaken(model).get_weights()
    model.fit(Batches(), validation_data=Batches(), epochs=1, verbose=0)
    assert not np.allclose(model.get_weights()[0], weights[0])
    assert model.predict(Batches(), verbose=0).shape == (8, 4, 8)
