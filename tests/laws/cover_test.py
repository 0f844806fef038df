"""The laws over the zoo, on a pairwise cover of its parts; eager and tiny."""

import keras
import pytest

from keras_seq2seq.testing import laws
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers import cover


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
    # JAX has nothing eager in a loop: it would compile each one.
    model.compile(run_eagerly=keras.backend.backend() != "jax")
    batch = model_batch(model)
    logits = model.predict_on_batch(batch[0])
    laws.step_equals_sequence(model, batch[0], logits)
    laws.future_is_invisible(model, batch[0], logits)
    laws.neighbours_are_invisible(model, batch[0], logits)
    laws.padding_is_invisible(model, batch, logits)
