"""A pairwise cover of the parts of the recurrent zoo, and its tiny models."""

from keras_seq2seq import layers
from keras_seq2seq.models import Seq2Seq
from tests.helpers import zoo_parts as parts
from tests.helpers.models import shaken
from tests.helpers.pairwise import pairwise

FACTORS = {
    "placement": list(parts.PLACEMENTS),
    "cell": list(parts.CELLS),
    "score": list(parts.SCORES),
    "normalizer": list(parts.NORMALIZERS),
    "encoder": list(parts.ENCODERS),
    "bridge": list(parts.BRIDGES),
}
ROWS = pairwise(FACTORS)


def name_of(row):
    return "-".join(row.values())


def is_allowed(row):
    heads, plain = row["score"] == "two_heads", parts.FOR_HEADS
    return not heads or row["normalizer"] in plain


def learns_all(row):
    """Whether each weight has a gradient, or Keras warns."""
    attends = row["placement"] not in ("sutskever", "cho", "cho_identity")
    if row["encoder"] == "layer_mix":  # the mix is in the memory alone
        return attends or row["bridge"] == "mean"
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
