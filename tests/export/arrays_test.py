"""Tasks whose sources are no texts: requests hold arrays."""

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.export import export_saved_model
from tests.helpers.export.comparing import assert_row_equal
from tests.helpers.export.comparing import read_description
from tests.sources.source_test import Joined
from tests.tasks.task_test import FramesToText

tf = pytest.importorskip("tensorflow")
if keras.backend.backend() != "tensorflow":
    pytest.skip("exports under TensorFlow", allow_module_level=True)


@pytest.fixture(scope="module")
def task():
    keras.utils.set_random_seed(2)
    tokenizer = k2s.text.CharacterTokenizer.from_texts(["abc"])
    model = k2s.models.Seq2Seq(
        k2s.layers.RecurrentEncoder(keras.layers.GRUCell(4)),
        k2s.layers.RecurrentDecoder(
            k2s.layers.LuongCell(keras.layers.GRUCell(4)), bridge="dense"
        ),
        sources=k2s.sources.RawSource((None, 3), use_padding_mask=True),
        target_vocabulary_size=len(tokenizer.vocabulary),
        embedding_dim=6,
    )
    search = k2s.search.BeamSearch(2, max_length=4)
    return FramesToText(model, tokenizer, search, scale=2.0)


def test_frames_to_text(task, tmp_path):
    rng = np.random.default_rng(0)
    frames = [rng.normal(size=(n, 3)) for n in (5, 1, 3)]
    path = export_saved_model(
        task, tmp_path, signatures=["n_best", "score"], examples=frames
    )
    served = tf.saved_model.load(path).signatures
    values = np.full((3, 6, 3), 7.0, "float32")  # ignored beyond the lengths
    for row, own in zip(values, frames):
        row[: len(own)] = 2.0 * own  # as the task scales them
    lengths = np.array([5, 1, 3], "int32")
    inputs = {"encoder_inputs": values, "encoder_lengths": lengths}
    found = served["n_best"](**inputs)
    expected = task.generate(frames, n_best=2, return_attention_scores=True)
    texts = [text.decode() for text in found["texts"].numpy().ravel()]
    assert texts == [best.text for row in expected for best in row]
    np.testing.assert_allclose(
        found["scores"],
        [[best.score for best in row] for row in expected],
        atol=1e-5,
    )
    np.testing.assert_array_equal(found["source_lengths"], lengths)
    alone = served["n_best"](
        encoder_inputs=values[1:2, :1], encoder_lengths=lengths[1:2]
    )
    assert_row_equal(
        {n: x.numpy() for n, x in alone.items()},
        {n: x.numpy() for n, x in found.items()},
        1,
    )
    found = served["score"](target=tf.constant(["a", "", "bc"]), **inputs)
    pairs = list(zip(frames, ["a", "", "bc"]))
    np.testing.assert_allclose(found["log_prob"], task.score(pairs), atol=1e-5)
    description = read_description(path)
    assert description["source_tokenizer"] is None
    assert description["warmup_requests"] == 6  # two lengths, three signatures


def test_what_arrays_cannot(task, tmp_path):
    with pytest.raises(ValueError, match="`token_ids` needs.*`FramesToText`"):
        export_saved_model(task, tmp_path / "a", signatures=["token_ids"])
    with pytest.raises(ValueError, match="copy words.*`FramesToText`"):
        export_saved_model(task, tmp_path / "a", replace_unknown=True)
    assert not any(tmp_path.iterdir())


class Asked(tuple):
    """A picture and the ids of a question; as long as the question."""

    def __len__(self):
        return len(self[1])


class PictureAndQuestion(k2s.tasks.Task):
    """Pairs of a picture and a list of ids to text."""

    def read_corpus(self, corpus, argument):
        return [], []

    def check_sources(self, sources, argument="sources"):
        return list(sources)

    def encode_source(self, sources, argument="sources"):
        return [Asked(source) for source in sources]

    def batch_sources(self, rows, length):
        return {
            "image_inputs": np.array([row[0] for row in rows], "float32"),
            "question_token_ids": k2s.data.pad_token_ids(
                [row[1] for row in rows], length=length
            ),
        }

    def source_labels(self, source):
        return ["pixel"] * 4 + ["word"] * len(source[1])


def test_a_picture_and_a_question(tmp_path):
    keras.utils.set_random_seed(1)
    tokenizer = k2s.text.CharacterTokenizer.from_texts(["abc"])
    cell = k2s.layers.LuongCell(keras.layers.GRUCell(4))
    model = k2s.models.Seq2Seq(
        Joined(),
        k2s.layers.RecurrentDecoder(cell, bridge="zero"),
        sources=[
            k2s.sources.RawSource((2, 2, 3), name="image"),
            k2s.sources.TokenSource(6, name="question"),
        ],
        target_vocabulary_size=len(tokenizer.vocabulary),
        embedding_dim=3,
    )
    task = PictureAndQuestion(
        model, tokenizer, k2s.search.BeamSearch(2, max_length=4)
    )
    path = export_saved_model(task, tmp_path, signatures=["n_best"])
    served = tf.saved_model.load(path).signatures["n_best"]
    rng = np.random.default_rng(0)
    pictures = rng.normal(size=(2, 2, 2, 3)).astype("float32")
    questions = [[5, 4, 3], [2]]
    found = served(
        image_inputs=pictures,
        question_token_ids=np.array([[5, 4, 3, 1], [2, 2, 2, 2]], "int32"),
        question_lengths=np.array([3, 1], "int32"),
    )
    expected = task.generate(list(zip(pictures, questions)), n_best=2)
    np.testing.assert_allclose(
        found["scores"],
        [[best.score for best in row] for row in expected],
        atol=1e-5,
    )
    texts = [text.decode() for text in found["texts"].numpy().ravel()]
    assert texts == [best.text for row in expected for best in row]
