import re

import keras
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.layers import AdditiveScore
from keras_seq2seq.layers import AttentionScore
from keras_seq2seq.layers import Bridge
from keras_seq2seq.search import Search
from keras_seq2seq.text import Tokenizer
from keras_seq2seq.utils import registry


def test_snake_case():
    assert registry.snake_case("AdditiveScore") == "additive_score"
    assert registry.snake_case("ScaledDotProductScore") == (
        "scaled_dot_product_score"
    )


def test_names_leave_out_the_family():
    assert {"copy", "dense"} <= set(registry.names(Bridge))
    assert {"beam", "greedy"} <= set(registry.names(Search))
    assert registry.names(AttentionScore)["additive"] is AdditiveScore


def test_get_by_name_config_and_instance():
    score = AdditiveScore(units=3)
    config = keras.saving.serialize_keras_object(score)
    assert registry.get(score, AttentionScore, "score") is score
    by_config = registry.get(config, AttentionScore, "score")
    assert type(by_config) is AdditiveScore and by_config.units == 3
    by_name = registry.get("additive", AttentionScore, "score")
    assert type(by_name) is AdditiveScore and by_name.units is None


@pytest.fixture
def register():
    """Register a class under a name, until the test ends."""
    custom = keras.saving.get_custom_objects()
    before = dict(custom)

    def registered(package, base, name):
        cls = type(name, (base,), {"__module__": "student"})
        return keras.saving.register_keras_serializable(package)(cls)

    yield registered
    custom.clear()
    custom.update(before)


FAMILIES = {
    "AttentionScore": ("additive", "AdditiveScore"),
    "AttentionNormalizer": ("softmax", "SoftmaxNormalizer"),
    "Bridge": ("dense", "DenseBridge"),
    "Readout": ("deep", "DeepReadout"),
    "Position": ("learned", "LearnedPosition"),
    "Search": ("beam", "BeamSearch"),
    "LengthPenalty": ("wu", "WuPenalty"),
    "Coverage": ("wu", "WuCoverage"),
    "AttentionLoss": ("score_function", "ScoreFunctionLoss"),
    "Tokenizer": ("symbol", "SymbolTokenizer"),
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("of_whom", ["own", "family"])
def test_a_class_of_a_user_never_takes_a_name(register, family, of_whom):
    name, class_name = FAMILIES[family]
    own = keras.saving.get_registered_object(f"keras_seq2seq>{class_name}")
    (base,) = (cls for cls in own.__mro__ if cls.__name__ == family)
    other = register("student", own if of_whom == "own" else base, class_name)
    assert registry.names(base)[name] is own
    both = f"keras_seq2seq>{class_name}.*student>{class_name}.*instance"
    with pytest.warns(UserWarning, match=both):
        assert registry.class_of(name, base, "argument") is own
    assert issubclass(other, base)


def test_a_clash_in_a_layer_and_a_task(register):
    own = AdditiveScore
    other = register("student", AttentionScore, "AdditiveScore")
    config = {"module": None, "class_name": "AdditiveScore", "config": {}}
    config["registered_name"] = "student>AdditiveScore"
    by_config = registry.get(config, AttentionScore, "score")
    assert type(by_config) is other
    assert registry.get(by_config, AttentionScore, "score") is by_config
    cell = keras.layers.GRUCell(4)
    with pytest.warns(UserWarning, match="score='additive' means"):
        found = k2s.layers.BahdanauCell(cell, score="additive").attention.score
    assert type(found) is own
    register("student", Tokenizer, "SymbolTokenizer")
    with pytest.warns(UserWarning, match="_tokenizer='symbol' means"):
        task = k2s.tasks.TextToText.from_corpus(
            [("a", "A")],
            "luong_2015_small",
            target_tokenizer="symbol",
            units=2,
        )
    assert type(task.target_tokenizer) is k2s.text.SymbolTokenizer


def test_two_classes_of_users_with_one_name(register):
    one = register("one", Search, "TwiceSearch")
    assert registry.class_of("twice", Search, "search") is one
    register("two", Search, "TwiceSearch")
    assert "twice" in registry.names(Search)
    with pytest.raises(ValueError, match="one>TwiceSearch.*two>TwiceSearch"):
        registry.get("twice", Search, "search")


def test_a_registered_name_is_not_taken(register):
    register("keras_seq2seq", Search, "BeamSearch")
    with pytest.raises(ValueError, match="`student.BeamSearch`, registered as"):
        registry.get("greedy", Search, "search")


def test_get_makes_a_new_object_for_a_name():
    first, second = (registry.get("dense", Bridge, "bridge") for _ in "ab")
    assert first is not second


@pytest.mark.parametrize("wrong", ["nope", 3, None, AdditiveScore])
def test_get_errors(wrong):
    received = re.escape(f"Received: bridge={wrong!r}")
    with pytest.raises(ValueError, match=f"`bridge`.*'copy'.*{received}"):
        registry.get(wrong, Bridge, "bridge")


def test_get_refuses_another_family():
    with pytest.raises(ValueError, match="`score` must be one of"):
        registry.get("copy", AttentionScore, "score")
    config = keras.saving.serialize_keras_object(keras.layers.Dense(3))
    with pytest.raises(ValueError, match="`score` must be one of"):
        registry.get(config, AttentionScore, "score")


def test_config_of():
    config = registry.config_of(keras.layers.GRUCell(3))
    assert config["config"]["units"] == 3
    assert registry.config_of(config) is config


def test_object_of_leaves_the_config_alone():
    cells = keras.layers.StackedRNNCells([keras.layers.GRUCell(3)])
    config = keras.saving.serialize_keras_object(cells)
    for _ in range(2):
        assert registry.object_of(config).cells[0].units == 3
