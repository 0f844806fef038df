"""What a search repeats for its beams, by the shapes that its step sees."""

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from tests.helpers.tiny_presets import TINY

ROWS, BEAMS, SOURCE = 2, 5, 17


@pytest.mark.eager  # a step has the shapes of its tensors
@pytest.mark.parametrize("preset", TINY)
def test_memory_is_not_repeated(preset):
    """Keys and values have one row a source; the states have one a beam.

    So has all of the cache that is written step by step. No state but an
    alignment `(rows, source)` has the source's length.
    """
    model = k2s.models.Seq2Seq.from_preset(
        preset,
        source_vocabulary_size=9,
        target_vocabulary_size=9,
        **TINY[preset],
    )
    seen = []
    step = model.decode_step

    def recorded(token_ids, states, cache, index):
        shapes = [
            [tuple(x.shape) for x in keras.tree.flatten(nested)]
            for nested in (states, cache)
        ]
        seen.append((tuple(token_ids.shape), *shapes))
        return step(token_ids, states, cache, index)

    model.decode_step = recorded
    inference = k2s.models.InferenceModel(
        model, k2s.search.BeamSearch(BEAMS, max_length=3)
    )
    inference.predict_on_batch(np.ones((ROWS, SOURCE), "int32"))
    assert seen
    for token_ids, states, memory in seen:
        assert token_ids == (ROWS * BEAMS,)
        assert {rows for rows, *_ in states} == {ROWS * BEAMS}
        assert {rows for rows, *_ in memory} == {ROWS}
        assert any(SOURCE in shape for shape in memory)
        assert not any(
            SOURCE in shape[1:] for shape in states if len(shape) > 2
        )
