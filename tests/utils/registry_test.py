import re

import keras
import pytest

from keras_seq2seq.layers import AdditiveScore
from keras_seq2seq.layers import AttentionScore
from keras_seq2seq.layers import Bridge
from keras_seq2seq.search import Search
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
