"""Presets of Transformers with positions of one's choice, as tasks."""

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from tests.helpers.models import shaken
from tests.helpers.task_laws import check_scores
from tests.helpers.task_laws import check_served
from tests.helpers.task_laws import saved_and_loaded
from tests.helpers.tiny_presets import TRANSFORMER

PRESETS = ["transformer_2017_small", "liu_2018_small", "radford_2018_small"]
TEXTS = ["abc", "bca", "cab"]  # of one length: one compilation
PAIRS = [(text, text[::-1]) for text in TEXTS]
POSITIONS = {
    "sinusoidal": k2s.layers.SinusoidalPosition,
    "learned": k2s.layers.LearnedPosition,
    "rotary": k2s.layers.RotaryPosition,
    "relative": k2s.layers.RelativePosition,
    None: k2s.layers.Position,
}

# An answer after one step may hold the unknown token.
pytestmark = pytest.mark.filterwarnings("ignore:At most 10% of the tokens")


def model_of(preset, **settings):
    if preset in k2s.models.LANGUAGE_MODELS:
        return k2s.models.LanguageModel.from_preset(
            preset, vocabulary_size=8, **TRANSFORMER, **settings
        )
    return k2s.models.Seq2Seq.from_preset(
        preset,
        source_vocabulary_size=9,
        target_vocabulary_size=8,
        **TRANSFORMER,
        **settings,
    )


def positions_of(model):
    """Of the encoder, where there is one with positions, and the decoder."""
    sides = model.encoder, model.decoder
    return [side.position for side in sides if hasattr(side, "position")]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("position", POSITIONS)
def test_a_position_by_name(preset, position):
    found = positions_of(model_of(preset, position=position))
    assert {type(x) for x in found} == {POSITIONS[position]}
    assert len(found) == 1 + (preset == "transformer_2017_small")


def test_the_positions_of_the_papers():
    kinds = [type(positions_of(model_of(preset))[-1]) for preset in PRESETS]
    sinusoidal, learned = POSITIONS["sinusoidal"], POSITIONS["learned"]
    assert kinds == [sinusoidal, sinusoidal, learned]
    model = model_of("radford_2018_small", position="learned", max_length=7)
    assert positions_of(model)[0].max_length == 7


def test_an_instance_or_its_config_for_both_sides():
    given = k2s.layers.RelativePosition(num_buckets=8)
    for position in (given, keras.saving.serialize_keras_object(given)):
        model = model_of("transformer_2017", position=position)
        one, other = positions_of(model)
        assert one.num_buckets == other.num_buckets == 8
        assert one.num_heads == other.num_heads == 2
        assert one is not other and one.table is not other.table
    model = model_of("radford_2018", position=given)
    assert positions_of(model)[0].num_buckets == 8
    with pytest.raises(ValueError, match="`position`.*'relative'.*='shaw'"):
        model_of("liu_2018", position="shaw")


@pytest.fixture(scope="module", params=PRESETS)
def task(request, tmp_path_factory):
    """Relative positions: trained for a step, saved, and loaded again."""
    keras.utils.set_random_seed(0)
    settings = {**TRANSFORMER, "position": "relative"}
    if request.param in k2s.models.LANGUAGE_MODELS:
        corpus = TEXTS
        task = k2s.tasks.TextCompletion.from_texts(
            corpus, request.param, **settings
        )
    else:
        corpus = PAIRS
        task = k2s.tasks.TextToText.from_corpus(
            corpus, request.param, **settings
        )
    shaken(task.model)
    tables = [position.table for position in positions_of(task.model)]
    before = [keras.ops.convert_to_numpy(x) for x in tables]
    search = k2s.search.BeamSearch(num_beams=3, n_best=2, max_length=4)
    task.compile("adam", search=search)
    history = task.fit(corpus, epochs=1, verbose=0).history
    assert np.isfinite(history["loss"]).all()
    for old, new in zip(before, tables):
        assert not np.array_equal(old, keras.ops.convert_to_numpy(new))
    return saved_and_loaded(task, tmp_path_factory)


@pytest.fixture(scope="module")
def found(task):
    return task.generate(TEXTS, n_best=2)


def test_score_is_the_score_of_the_search(task, found):
    check_scores(task, TEXTS, found)


@pytest.mark.skipif(
    keras.backend.backend() != "tensorflow", reason="one export, one backend"
)
def test_served_equals_python(task, found, tmp_path):
    check_served(task, TEXTS, found, tmp_path / "model")
