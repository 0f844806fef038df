"""Requests whose inputs do not belong together: one clear error."""

import re

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.export import export_saved_model

tf = pytest.importorskip("tensorflow")
if keras.backend.backend() != "tensorflow":
    pytest.skip("exports under TensorFlow", allow_module_level=True)


@pytest.fixture(scope="module")
def signatures(tmp_path_factory):
    search = k2s.search.GreedySearch(
        max_length=3, constraints=["banned_mask", "forced_prefix"]
    )
    task = k2s.tasks.TextToText.from_corpus(
        [("abc", "cba"), ("ba", "ab")],
        "luong_2015",
        search=k2s.search.BeamSearch(2, max_length=3),
        units=4,
        embedding_dim=3,
    )
    path = export_saved_model(
        task,
        tmp_path_factory.mktemp("exported"),
        searches={"told": search},
        signatures=["sample", "score", "token_ids"],
    )
    return tf.saved_model.load(path).signatures


def some_rows(name, rows):
    """A value of an input, with so many rows."""
    values = {
        "seed": np.arange(rows, dtype="int32"),
        "lengths": np.ones(rows, "int32"),
        "token_ids": np.ones((rows, 2), "int32"),
        "banned_mask": np.zeros((rows, 7), "bool"),
    }
    return tf.constant(values.get(name, np.array(["ab"] * rows, object)))


@pytest.mark.parametrize(
    "signature, names",
    [
        ("sample", ("text", "seed")),
        ("token_ids", ("token_ids", "lengths")),
        ("score", ("source", "target")),
        ("told", ("text", "prefix", "banned_mask")),
    ],
)
def test_rows_of_all_inputs(signatures, signature, names):
    ask = signatures[signature]
    for odd in names:
        for count in (1, 2, 4):  # what would be broadcast, and what would not
            rows = {name: 3 for name in names} | {odd: count}
            inputs = {n: some_rows(n, rows[n]) for n in names}
            with pytest.raises(tf.errors.InvalidArgumentError) as error:
                ask(**inputs)
            message = str(error.value)
            assert "must have the same number of rows" in message
            for name in names:
                said = f"{name} of {rows[name]} rows"
                assert re.search(rf"\b{said}", message), message
    for count in (0, 1, 3):
        found = ask(**{name: some_rows(name, count) for name in names})
        assert {len(x) for x in found.values()} == {count}
    with pytest.raises(tf.errors.InvalidArgumentError, match="of 0 rows"):
        rows = dict.fromkeys(names, 0) | {names[-1]: 2}
        ask(**{name: some_rows(name, rows[name]) for name in names})


@pytest.mark.parametrize("width", [1, 6, 8])
def test_a_mask_of_another_vocabulary(signatures, width):
    inputs = {name: some_rows(name, 2) for name in ("text", "prefix")}
    mask = tf.zeros((2, width), "bool")
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"expected.*7\]"):
        signatures["told"](banned_mask=mask, **inputs)
