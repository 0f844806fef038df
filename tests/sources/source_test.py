"""What a source says of its input, alone and in a model."""

import keras
import numpy as np
import pytest
from keras import ops

import keras_seq2seq as k2s
from keras_seq2seq.sources import RawSource
from keras_seq2seq.sources import TokenSource
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing import run_model_test
from tests.helpers.models import shaken


def lengths_of(source, inputs):
    tensors = {name: ops.convert_to_tensor(x) for name, x in inputs.items()}
    return ops.convert_to_numpy(source.lengths(tensors)).tolist()


def test_ids():
    source = TokenSource(6, pad_token_id=5)
    token_ids = np.array([[4, 5, 5], [0, 1, 5]])
    assert lengths_of(source, {"encoder_token_ids": token_ids}) == [1, 2]
    mask = np.array([[True, True, True], [True, False, False]])
    inputs = {"encoder_token_ids": token_ids, "encoder_padding_mask": mask}
    assert lengths_of(source, inputs) == [3, 1]


def test_sound():
    source = RawSource((None, 2), use_padding_mask=True)
    frames = np.zeros((2, 3, 2), "float32")
    assert lengths_of(source, {"encoder_inputs": frames}) == [3, 3]
    mask = np.array([[True, True, False], [True, False, False]])
    inputs = {"encoder_inputs": frames, "encoder_padding_mask": mask}
    assert lengths_of(source, inputs) == [2, 1]


@pytest.mark.parametrize("shape", [(4, 4, 3), (7,), (None, 4, 4, 3)])
def test_what_has_no_length(shape):
    source = RawSource(shape)
    values = np.zeros((2, *[2 if n is None else n for n in shape]), "float32")
    with pytest.raises(ValueError, match="has a length.*`LengthRatio`"):
        lengths_of(source, {"encoder_inputs": values})


def test_a_missing_input():
    source = TokenSource(6, name="question")
    with pytest.raises(
        ValueError, match="`question_token_ids`. Received: .'image_inputs'"
    ):
        source.lengths({"image_inputs": np.zeros((1, 2))})


@pytest.mark.parametrize(
    "source",
    [
        TokenSource(9, 3, name="question", use_padding_mask=True),
        RawSource((None, 40), name="sound"),
    ],
)
def test_config(source):
    config = keras.saving.serialize_keras_object(source)
    again = keras.saving.deserialize_keras_object(config)
    assert again.get_config() == source.get_config()
    assert again.input_axes() == source.input_axes()


class Flat(k2s.layers.Encoder):
    """The pixels of a picture as the memory."""

    stride = None

    def call(self, inputs, mask=None):
        shape = ops.shape(inputs)
        return ops.reshape(inputs, (shape[0], -1, shape[-1])), {}

    def compute_output_shape(self, inputs_shape):
        batch, height, width, dim = inputs_shape
        return (batch, height * width, dim), {}


@keras.saving.register_keras_serializable("source_test")
class Joined(k2s.layers.Encoder):
    """A picture and a question as one memory, one after the other."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.flat = Flat()

    def build(self, inputs_shape):
        self.flat.build(inputs_shape["image"])

    def call(self, inputs, mask=None):
        picture, _ = self.flat(inputs["image"])
        return ops.concatenate([picture, inputs["question"]], axis=1), {}

    def compute_output_shape(self, inputs_shape):
        batch, height, width, dim = inputs_shape["image"]
        length = inputs_shape["question"][1]
        length = None if length is None else height * width + length
        return (batch, length, dim), {}

    def compute_mask(self, inputs, mask=None):
        pixels = self.flat(inputs["image"])[0][..., 0]
        pixels = ops.ones_like(pixels, dtype="bool")
        return ops.concatenate([pixels, mask["question"]], axis=1), None


def picture_model(sources, encoder, **settings):
    cell = k2s.layers.BahdanauCell(keras.layers.GRUCell(4))
    return shaken(
        k2s.models.Seq2Seq(
            encoder,
            k2s.layers.RecurrentDecoder(cell, bridge="zero"),
            target_vocabulary_size=7,
            embedding_dim=3,
            sources=sources,
            **settings,
        )
    )


def test_a_picture_and_a_question():
    """The laws hold of several sources, by name."""
    sources = [
        RawSource((2, 2, 3), name="image"),
        TokenSource(6, name="question"),
    ]
    model = picture_model(sources, Joined())
    names = "decoder_token_ids", "image_inputs", "question_token_ids"
    assert tuple(sorted(model.input)) == names
    run_model_test(model, policies=["mixed_bfloat16"])


def test_a_search_that_compares_lengths_needs_one():
    """The height of a picture is no length."""
    model = picture_model(RawSource((2, 2, 3)), Flat())
    pictures = np.random.default_rng(0).normal(size=(2, 2, 2, 3))
    inputs = {"encoder_inputs": pictures.astype("float32")}
    search = k2s.search.BeamSearch(num_beams=2, max_length=3)
    found = k2s.models.InferenceModel(model, search).predict_on_batch(inputs)
    assert found["token_ids"].shape == (2, 1, 3)
    ratio = k2s.search.constraints.LengthRatio(minimum=0.5)
    search = search.replace(constraints=[ratio])
    with pytest.raises(ValueError, match=r"has a length.*\(2, 2, 3\)"):
        k2s.models.InferenceModel(model, search).predict_on_batch(inputs)


def test_short_arguments_are_one_source():
    short = k2s.models.Seq2Seq.from_preset(
        "luong_2015",
        source_vocabulary_size=6,
        source_pad_token_id=3,
        target_vocabulary_size=7,
        units=4,
        embedding_dim=3,
    )
    long = k2s.models.Seq2Seq.from_preset(
        "luong_2015",
        sources=TokenSource(6, pad_token_id=3),
        target_vocabulary_size=7,
        units=4,
        embedding_dim=3,
    )
    inputs = {
        "encoder_token_ids": np.array([[4, 5, 3]]),
        "decoder_token_ids": np.array([[1, 5]]),
    }
    long.set_weights(short.get_weights())
    assert_close(long(inputs), short(inputs))
    ignored = "name", "encoder", "decoder", "readout"
    configs = [
        {n: x for n, x in model.get_config().items() if n not in ignored}
        for model in (short, long)
    ]
    assert configs[0] == configs[1]


def test_errors():
    encoder = Flat()
    with pytest.raises(ValueError, match="different names.*'a', 'a'"):
        picture_model(
            [TokenSource(6, name="a"), RawSource((2,), name="a")], encoder
        )
    with pytest.raises(ValueError, match="either `sources`.*'source_shape'"):
        picture_model(TokenSource(6), encoder, source_shape=(None, 3))
    with pytest.raises(ValueError, match="at least one"):
        picture_model([], encoder)
    with pytest.raises(ValueError, match="name of the target.*`name`"):
        picture_model(TokenSource(6, name="decoder"), encoder)
    for name in (3, "", "a b"):
        with pytest.raises(ValueError, match="`name` must be a string"):
            TokenSource(6, name=name)
    for shape in ("ab", (), 3):
        with pytest.raises(ValueError, match="`shape` must be a tuple"):
            RawSource(shape)
    for size in (0, -3, "a", 1.5):
        with pytest.raises(ValueError, match=r"`shape\[1\]` must be"):
            RawSource((None, size))
    with pytest.raises(TypeError, match="`sources` must be.*Source"):
        picture_model([encoder], encoder)
    with pytest.raises(ValueError, match="either `source_vocabulary_size`"):
        picture_model(None, encoder)
