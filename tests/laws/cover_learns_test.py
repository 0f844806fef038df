"""A step of training over the zoo, on a pairwise cover of its parts."""

import keras
import numpy as np
import pytest

from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers import cover

ROWS = [
    row
    for row in cover.ROWS
    # Or Keras warns that the encoder learns nothing.
    if cover.is_allowed(row) and cover.sees_the_source(row)
]


@pytest.mark.parametrize("row", ROWS, ids=cover.name_of)
def test_a_step_changes_the_weights(row):
    drawn = row["normalizer"] == "hard"
    model = cover.model_of(
        row, attention_loss="score_function" if drawn else None
    )
    model.compile(
        keras.optimizers.SGD(0.01),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        run_eagerly=True,
    )
    before = model.get_weights()
    assert np.isfinite(model.train_on_batch(*model_batch(model)))
    after = model.get_weights()
    assert any(not np.array_equal(a, b) for a, b in zip(before, after))
    assert all(np.isfinite(w).all() for w in after)
