"""The laws over the zoo, on a pairwise cover of its parts; eager and tiny."""

import keras
import numpy as np
import pytest

from keras_seq2seq import layers
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.testing import laws
from keras_seq2seq.testing.model_batch import model_batch
from tests.models_for_tests import shaken
from tests.zoo import parts
from tests.zoo.pairwise import pairwise

FACTORS = {
    "placement": list(parts.PLACEMENTS),
    "cell": list(parts.CELLS),
    "score": list(parts.SCORES),
    "normalizer": list(parts.NORMALIZERS),
    "encoder": list(parts.ENCODERS),
    "bridge": list(parts.BRIDGES),
}
ROWS = pairwise(FACTORS)


def is_allowed(row):
    heads, plain = row["score"] == "two_heads", parts.FOR_HEADS
    return not heads or row["normalizer"] in plain


def sees_the_source(row):
    return row["placement"] != "sutskever" or row["bridge"] != "zero"


def model_of(row, **kwargs):
    attention = parts.mechanism(row["score"], row["normalizer"])
    cell = parts.PLACEMENTS[row["placement"]](
        parts.CELLS[row["cell"]], attention
    )
    model = Seq2Seq(
        parts.ENCODERS[row["encoder"]](),
        layers.RecurrentDecoder(cell, bridge=row["bridge"], dropout=0.1),
        source_vocabulary_size=7,
        target_vocabulary_size=6,
        embedding_dim=4,
        **kwargs,
    )
    return shaken(model)


def test_every_pair_is_there():
    names = list(FACTORS)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            found = {(row[a], row[b]) for row in ROWS}
            assert len(found) == len(FACTORS[a]) * len(FACTORS[b])


@pytest.mark.parametrize(
    "row", ROWS, ids=["-".join(row.values()) for row in ROWS]
)
def test_laws(row):
    if not is_allowed(row):
        with pytest.raises(ValueError, match="heads"):
            model_of(row)
        return
    keras.utils.set_random_seed(0)
    model = model_of(row)
    model.compile(run_eagerly=True)
    batch = model_batch(model)
    logits = model.predict_on_batch(batch[0])
    laws.step_equals_sequence(model, batch[0], logits)
    laws.future_is_invisible(model, batch[0], logits)
    laws.neighbours_are_invisible(model, batch[0], logits)
    laws.padding_is_invisible(model, batch, logits)
    if sees_the_source(row):  # or Keras warns that the encoder learns nothing
        drawn = row["normalizer"] == "hard"
        learns(
            model_of(row, attention_loss="score_function" if drawn else None)
        )


def learns(model):
    """A step of training changes weights, and none of them is lost."""
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
