"""A data input of one's own: a constraint and its input, in one file."""

import json
import pathlib

import keras
import numpy as np
import pytest
from keras import ops

import keras_seq2seq as k2s
from keras_seq2seq.models import InferenceModel
from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search import GreedySearch
from keras_seq2seq.search import SearchInput
from keras_seq2seq.search.constraints import Constraint
from keras_seq2seq.testing import assert_same_hypotheses
from keras_seq2seq.testing.batches import rows_of
from keras_seq2seq.testing.model_batch import model_batch
from tests.fixtures import trained_task
from tests.helpers.models import gru_model
from tests.helpers.models import shaken


class MinimumLengths(Constraint):
    """The shortest hypothesis of each row, the end token counted."""

    inputs = (SearchInput("minimum_length", meaning="shortest, in tokens"),)

    def __call__(self, log_probs, state, context):
        is_end = ops.arange(log_probs.shape[-1]) == context.end_token_id
        least = ops.expand_dims(context.inputs["minimum_length"], 1)
        early = context.index + 1 < least
        return ops.where(is_end & early, -1e9, log_probs)


@pytest.mark.parametrize("search", [GreedySearch(3), BeamSearch(max_length=3)])
def test_by_hand(search):
    # The end token has .6, the only other one .4.
    logits = ops.log(np.array([[0, 0, 0.6, 0.4]] * 3 * search.width, "float32"))
    search = search.replace(constraints=[MinimumLengths()])
    results = search(
        lambda token_ids, states, cache, index: (logits, states, cache, None),
        ops.zeros((3, 1)),
        start_token_id=1,
        end_token_id=2,
        pad_token_id=0,
        inputs={"minimum_length": np.array([0, 2, 3])},
    )
    expected = {
        "token_ids": np.array([[[2, 0, 0]], [[3, 2, 0]], [[3, 3, 2]]]),
        "lengths": np.array([[1], [2], [3]]),
        "scores": np.log(np.array([[0.6], [0.24], [0.096]], "float32")),
    }
    assert_same_hypotheses(results, expected)


def test_a_model():
    model = shaken(gru_model())
    free = BeamSearch(3, max_length=5)
    told = InferenceModel(model, free.replace(constraints=[MinimumLengths()]))
    specs = told.input_specs()
    assert list(specs) == ["encoder_token_ids", "minimum_length"]
    assert specs["minimum_length"].shape == (None,)
    assert specs["minimum_length"].dtype == "int32"
    inputs = {
        "encoder_token_ids": model_batch(model)[0]["encoder_token_ids"],
        "minimum_length": np.array([0, 2, 4, 5], "int32"),
    }
    found = told.predict(inputs, batch_size=2, verbose=0)
    assert (found["lengths"][:, 0] >= inputs["minimum_length"]).all()
    first = {"encoder_token_ids": inputs["encoder_token_ids"][:1]}
    expected = InferenceModel(model, free).predict_on_batch(first)
    assert_same_hypotheses(rows_of(found, [0]), expected)
    inputs["minimum_length"] = np.zeros((4, 1), "int32")
    with pytest.raises(ValueError, match=r"`minimum_length` must be of shape"):
        told.predict_on_batch(inputs)


def test_a_task():
    task = trained_task("luong_2015")
    free = BeamSearch(2, max_length=16)
    search = free.replace(constraints=[MinimumLengths()])
    texts = ["a", "to", "attention"]

    def lengths(**inputs):
        found = task.generate(texts, search=search, n_best=1, **inputs)
        return [len(group[0].tokens) + 1 for group in found]

    neutral = task.generate(texts, search=search)
    assert neutral == task.generate(texts, search=free)
    before, after = lengths(), lengths(minimum_length=[6, 0, 0])
    assert before[0] < 6 <= after[0] and before[1:] == after[1:]
    assert min(lengths(minimum_length=7)) >= 7
    for wrong, problem in (
        ([6, 0], "one entry per text, 3.*length 2"),
        ([[6], [0], [0]], r"of shape \(3,\)|of shape \(any,\)"),
        (6.5, "of the dtype int32. Received: minimum_length=6.5"),
        (2**31, "fit into 32 bits.*Received: minimum_length with 2147483648"),
    ):
        with pytest.raises(
            ValueError, match=f"`minimum_length` must.*{problem}"
        ):
            task.generate(texts, search=search, minimum_length=wrong)
    with pytest.raises(ValueError, match="`minimum_length` needs a search"):
        task.generate(texts, minimum_length=6)


@pytest.mark.skipif(
    keras.backend.backend() != "tensorflow", reason="a SavedModel"
)
def test_an_export(tmp_path):
    import tensorflow as tf

    from keras_seq2seq.export import export_saved_model

    task = k2s.tasks.TextToText.from_corpus(
        [("abc", "c b a"), ("ba", "a b")],
        "luong_2015",
        target_tokenizer="symbol",
        search=GreedySearch(max_length=4),
        units=4,
        embedding_dim=3,
    )
    search = task.search.replace(constraints=[MinimumLengths()])
    path = export_saved_model(
        task, tmp_path, signatures=[], searches={"long": search}
    )
    texts, least = ["ab", "", "abc"], [3, 4, 0]
    signature = tf.saved_model.load(path).signatures["long"]
    found = signature(
        text=tf.constant(texts), minimum_length=tf.constant(least)
    )
    expected = task.generate(texts, search=search, minimum_length=least)
    assert [text.decode() for text in found["text"].numpy()] == expected
    description = pathlib.Path(path, "assets.extra", "keras_seq2seq.json")
    described = json.loads(description.read_text())["signatures"]["long"]
    assert described["inputs"]["minimum_length"] == {
        "dtype": "int32",
        "shape": [None],
        "meaning": "shortest, in tokens",
    }
