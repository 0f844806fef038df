"""`keras.config.set_floatx("float64")`: every preset and every search."""

import ast
import pathlib

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.search import constraints
from keras_seq2seq.search import penalties
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.models import SIZES
from tests.helpers.models import lstm_model
from tests.helpers.tiny_presets import RECURRENT
from tests.helpers.tiny_presets import TINY
from tests.helpers.tiny_presets import TRANSFORMER

ROOT = pathlib.Path(k2s.__file__).parent
LANGUAGE = {"zaremba_2014_small": RECURRENT, "radford_2018_small": TRANSFORMER}
BEAM = {"num_beams": 3, "max_length": 4}
SEARCHES = {
    "diverse": k2s.search.DiverseBeamSearch(4, num_groups=2, max_length=4),
    "sampling": k2s.search.Sampling(top_k=3, top_p=0.9, max_length=4),
    "patience": k2s.search.BeamSearch(**BEAM, patience=1.0, min_length=2),
    "penalties": k2s.search.BeamSearch(
        **BEAM, length_penalty="wu", coverage_penalty="wu"
    ),
    "summary": k2s.search.BeamSearch(
        **BEAM,
        length_penalty=penalties.AvgPenalty(),
        coverage_penalty="summary",
    ),
    "constraints": k2s.search.BeamSearch(
        **BEAM,
        length_penalty="brevity",
        constraints=[
            constraints.NoRepeatNgram(2),
            constraints.RepetitionPenalty(1.2),
            constraints.BannedTokens([3]),
            constraints.BannedSequences([[4, 5]]),
            constraints.LengthRatio(0.1, maximum=3.0),
            constraints.ForcedPrefix(),
            constraints.BannedMask(),
        ],
    ),
    "closed": k2s.search.GreedySearch(
        4, constraints=[constraints.AllowedSequences([[4], [4, 5]])]
    ),
}
# JAX has float64 where it is told so alone, and warns.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Explicitly requested dtype"),
    pytest.mark.eager,
]


@pytest.fixture(autouse=True)
def float64():
    before = keras.config.dtype_policy()
    keras.config.set_floatx("float64")
    keras.config.set_dtype_policy("float64")  # Keras keeps the one of before
    yield
    keras.config.set_floatx("float32")
    keras.config.set_dtype_policy(before)


def made(preset):
    if preset in LANGUAGE:
        return k2s.models.LanguageModel.from_preset(
            preset, vocabulary_size=9, **LANGUAGE[preset]
        )
    sizes = {n: size for n, size in SIZES.items() if n != "embedding_dim"}
    return k2s.models.Seq2Seq.from_preset(preset, **sizes, **TINY[preset])


@pytest.mark.parametrize("preset", [*TINY, *LANGUAGE])
def test_presets(preset):
    model = made(preset)
    inputs, targets, weights = model_batch(model)
    search = k2s.search.BeamSearch(**BEAM, n_best=2)
    found = k2s.models.InferenceModel(
        model, search, return_attention_scores=True
    ).predict_on_batch(inputs["encoder_token_ids"])
    assert np.isfinite(found["scores"]).all()
    model.compile(
        "sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    )
    loss = model.train_on_batch(inputs, targets, weights)
    assert np.isfinite(loss)


@pytest.mark.parametrize("name", SEARCHES)
def test_searches(name):
    model, search = lstm_model(), SEARCHES[name]
    source = model_batch(model)[0]["encoder_token_ids"]
    data = {
        "prefix": np.array([[4], [0], [5], [0]]),
        "banned_mask": np.arange(8) == np.array([[6], [7], [6], [7]]),
        "seed": np.arange(4),
    }
    data = {n: x for n, x in data.items() if n in search.input_names}
    found = k2s.models.InferenceModel(
        model, search, return_log_probs=True
    ).predict_on_batch({"encoder_token_ids": source, **data})
    assert np.isfinite(found["scores"]).all()
    assert found["lengths"][0] > 0


def test_every_range_names_its_dtype():
    """Of plain integers it would be int64 here, and meet int32."""
    nameless = [
        f"{path.name}:{node.lineno}"
        for path in sorted(ROOT.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "ops.arange"
        and "dtype" not in [k.arg for k in node.keywords]
    ]
    assert not nameless
