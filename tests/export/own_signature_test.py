"""A signature from outside the package, from strings to strings."""

import keras
import numpy as np
import pytest
from keras import ops

import keras_seq2seq as k2s
from keras_seq2seq.cli.main import parser
from keras_seq2seq.export import export_saved_model
from keras_seq2seq.export.selection import list_names
from keras_seq2seq.export.selection import resolve_signatures
from keras_seq2seq.export.signatures import Answers
from keras_seq2seq.export.signatures import Attention
from keras_seq2seq.export.signatures import Best
from keras_seq2seq.export.signatures import NBest
from keras_seq2seq.export.signatures import Score
from keras_seq2seq.export.signatures import TokenIds

CORPUS = [("abc", "c b a"), ("ba", "a b")]
TEXTS = ["ab", "", "cab"]


@keras.saving.register_keras_serializable("own_signature_test")
class CertaintySignature(Answers):
    """The best answer, and the geometric mean of its probabilities."""

    output_meanings = {
        "text": "the best answer",
        "certainty": "geometric mean of its tokens' probabilities",
    }
    return_log_probs = True

    def __init__(self, search=None, *, suffix="", **kwargs):
        super().__init__(search, **kwargs)
        self.suffix = suffix

    def call(self, inputs):
        found = self.find(inputs)
        lengths = ops.cast(ops.maximum(found["lengths"], 1), "float32")
        confidence = ops.exp(found["total_log_probs"] / lengths)
        return {
            "text": found["texts"][:, 0] + self.suffix,
            "certainty": confidence[:, 0],
        }

    def get_config(self):
        return {**super().get_config(), "suffix": self.suffix}


@pytest.fixture
def task():
    keras.utils.set_random_seed(3)
    return k2s.tasks.TextToText.from_corpus(
        CORPUS,
        "luong_2015",
        target_tokenizer="symbol",
        search=k2s.search.BeamSearch(3, max_length=5),
        units=4,
        embedding_dim=3,
    )


def test_by_name_config_and_instance():
    assert "certainty" in list_names()
    greedy = CertaintySignature("greedy", name="quick", suffix="!")
    config = keras.saving.serialize_keras_object(greedy)
    named, made, same = resolve_signatures(["certainty", config, greedy])
    assert (named.name, named.search, named.suffix) == ("certainty", None, "")
    assert same is greedy
    assert (made.name, made.suffix) == ("quick", "!")
    assert isinstance(made.search, k2s.search.GreedySearch)
    with pytest.raises(ValueError, match=r"one of \[.*'certainty'"):
        resolve_signatures(["confident"])
    with pytest.raises(TypeError, match="must be a list.*`str`"):
        resolve_signatures("score")


def test_on_the_command_line():
    options = parser().parse_args(
        ["export", "task", "served", "--signatures", "certainty", "score"]
    )
    assert options.signatures == ["certainty", "score"]


@pytest.mark.parametrize(
    "cls", [Attention, Best, CertaintySignature, NBest, Score, TokenIds]
)
def test_configs(cls):
    first = cls(k2s.search.BeamSearch(2, max_length=7), name="mine")
    config = keras.saving.serialize_keras_object(first)
    again = keras.saving.deserialize_keras_object(config)
    assert type(again) is cls
    assert again.name == "mine"
    assert again.search.get_config() == first.search.get_config()
    assert cls().search is None


def test_served(task, tmp_path):
    tf = pytest.importorskip("tensorflow")
    if keras.backend.backend() != "tensorflow":
        pytest.skip("exports under TensorFlow")
    greedy = k2s.search.GreedySearch(max_length=5)
    quick = CertaintySignature(greedy, name="quick", suffix="!")
    path = export_saved_model(task, tmp_path, signatures=["certainty", quick])
    served = tf.saved_model.load(path).signatures
    assert set(served) == {"serving_default", "certainty", "quick"}
    for name, search, suffix in (
        ("certainty", None, ""),
        ("quick", greedy, "!"),
    ):
        found = served[name](tf.constant(TEXTS))
        best = [
            hypothesis
            for hypothesis, *_ in task.generate(TEXTS, search=search, n_best=1)
        ]
        texts = [text.decode() for text in found["text"].numpy()]
        assert texts == [hypothesis.text + suffix for hypothesis in best]
        expected = [np.exp(np.mean(x.log_probs)) for x in best]
        np.testing.assert_allclose(found["certainty"], expected, rtol=1e-4)
        assert len(served[name](tf.constant([], tf.string))["text"]) == 0
    with pytest.raises(ValueError, match="none of .*'quick'.*'quick'"):
        export_saved_model(task, tmp_path, signatures=[quick, quick])
