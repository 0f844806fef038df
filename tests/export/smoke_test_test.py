"""Errors of an export say what is known, and nothing else."""

import types

import numpy as np
import pytest

import keras_seq2seq as k2s
from tests.helpers.models import gru_model

tf = pytest.importorskip("tensorflow")

from keras_seq2seq.export import searches  # noqa: E402
from keras_seq2seq.export import smoke_test  # noqa: E402


def tried(function, model=None):
    """Try a signature that is this function, of a task with this model."""
    signature = types.SimpleNamespace(
        parts=types.SimpleNamespace(
            task=types.SimpleNamespace(model=model),
            source=types.SimpleNamespace(
                max_length=3, made_up=lambda length: "a" * length
            ),
        ),
        inputs={"text": k2s.tasks.ServedInput("string")},
        example=lambda texts: {"text": np.array(texts, object)},
    )
    smoke_test.run_smoke_test({"best": signature}, {"best": function}, ["ab"])


def test_a_signature_that_fails_says_how():
    def fails(inputs):
        raise ValueError("No luck today.")

    with pytest.raises(ValueError, match="'best' fails at .*: No luck") as info:
        tried(fails)
    assert "position" not in str(info.value)
    assert str(info.value.__cause__) == "No luck today."


def test_an_answer_that_is_not_finite_names_the_weights():
    def endless(inputs):
        return {"score": tf.fill([1], np.inf)}

    model = gru_model()
    with pytest.raises(ValueError, match="`score` .* not finite: none."):
        tried(endless, model)
    layer = model.target_embedding
    layer.set_weights([np.full(layer.embeddings.shape, np.nan)])
    with pytest.raises(ValueError, match=r"not finite: \['.*embeddings'\]"):
        tried(endless, model)


def test_a_search_asks_for_what_a_signature_can_give():
    class Own(k2s.search.constraints.Constraint):
        input_names = ("prefix", "mine")

    search = k2s.search.GreedySearch(constraints=[Own()])
    with pytest.raises(ValueError, match=r"`mine\[0\]` that needs \['mine'\]"):
        searches.check_inputs(search, "mine[0]")
    with pytest.raises(ValueError, match=r"`searches\['a'\]` that needs"):
        searches.resolve_searches({"a": search})
