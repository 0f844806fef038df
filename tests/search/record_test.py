"""The record has the shapes and dtypes of its table at each step."""

import keras
import pytest
from keras import ops

from keras_seq2seq.search import BeamSearch
from keras_seq2seq.search import DiverseBeamSearch
from keras_seq2seq.search import GreedySearch
from keras_seq2seq.search import Sampling
from keras_seq2seq.search.record import RECORD
from keras_seq2seq.search.step_context import StepContext
from keras_seq2seq.testing import FakeLanguage

SIZES = {"batch_size": 3, "max_length": 4}


def leaves(fields, path=()):
    """Pairs of a path and an entry of a table."""
    for name, entry in fields.items():
        if isinstance(entry, dict):
            yield from leaves(entry, (*path, name))
        else:
            yield (*path, name), entry


def check(record, search, return_log_probs):
    fields = dict(leaves({**RECORD, **search.fields}))
    if not return_log_probs:
        fields = {p: e for p, e in fields.items() if p[-1] != "log_probs"}
    sizes = {**SIZES, "width": search.width, "n_best": search.n_best}
    sizes["rows"] = SIZES["batch_size"] * search.width
    carried, cache = record.pop("carried"), record.pop("cache")
    assert cache["steps"].shape == (1, 3)
    assert {x.shape[0] for x in keras.tree.flatten(carried)} == {sizes["rows"]}
    found = {
        path: (tuple(x.shape), keras.backend.standardize_dtype(x.dtype))
        for path, x in leaves(record)
    }
    assert found == {
        path: (tuple(sizes[axis] for axis in axes), dtype)
        for path, (axes, dtype, _) in fields.items()
    }


@pytest.mark.parametrize("return_log_probs", [False, True])
@pytest.mark.parametrize(
    "search",
    [
        GreedySearch(4),
        Sampling(num_samples=2, max_length=4),
        BeamSearch(5, n_best=2, max_length=4),
        DiverseBeamSearch(4, num_groups=2, n_best=3, max_length=4),
    ],
)
def test_record(search, return_log_probs):
    language = FakeLanguage(7)
    context = StepContext(
        index=ops.convert_to_tensor(0, "int32"),
        inputs={"seed": ops.arange(3 * search.width, dtype="int32")},
        end_token_id=2,
        pad_token_id=0,
        start_token_id=1,
        start_token_ids=ops.ones((3 * search.width,), "int32"),
        source_inputs={},
        step=language.step,
        return_log_probs=return_log_probs,
    )
    states = keras.tree.map_structure(
        ops.convert_to_tensor, language.first_states(3)
    )
    first = search._first_record(states, language.first_cache(), context)
    after = search._advance(first, context)
    assert int(after["index"]) == 1
    for record in (dict(first), dict(after)):
        check(record, search, return_log_probs)
