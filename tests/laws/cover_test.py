"""The laws over the zoo, on a pairwise cover of its parts; eager and tiny.

Each model then takes a step of training.
"""

import keras
import numpy as np
import pytest

from keras_seq2seq.testing import laws
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers import cover
from tests.helpers.eager import op_by_op


def test_every_pair_is_there():
    names = list(cover.FACTORS)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            found = {(row[a], row[b]) for row in cover.ROWS}
            assert len(found) == len(cover.FACTORS[a]) * len(cover.FACTORS[b])


@pytest.mark.parametrize("row", cover.ROWS, ids=cover.name_of)
def test_laws(row):
    if not cover.is_allowed(row):
        with pytest.raises(ValueError, match="heads"):
            cover.model_of(row)
        return
    model = cover.model_of(row)
    batch = model_batch(model)
    with op_by_op():
        check_laws(model, batch)
    if row["normalizer"] == "hard":
        model = cover.model_of(row, attention_loss="score_function")
    if cover.learns_all(row):
        with op_by_op():
            check_a_step_of_training(model, batch)


def check_laws(model, batch):
    model.compile(run_eagerly=True)
    logits = model.predict_on_batch(batch[0])
    laws.step_equals_sequence(model, batch[0], logits)
    laws.future_is_invisible(model, batch[0], logits)
    laws.neighbours_are_invisible(model, batch[0], logits)
    laws.padding_is_invisible(model, batch, logits)


def check_a_step_of_training(model, batch):
    model.compile(
        keras.optimizers.SGD(0.01),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        run_eagerly=True,
    )
    before = model.get_weights()
    assert np.isfinite(model.train_on_batch(*batch))
    after = model.get_weights()
    assert any(not np.array_equal(a, b) for a, b in zip(before, after))
    assert all(np.isfinite(w).all() for w in after)
