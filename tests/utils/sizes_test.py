import math

import pytest
from keras import ops

import keras_seq2seq as k2s
from keras_seq2seq.search.size import check_search_size
from keras_seq2seq.search.size import check_states_size
from keras_seq2seq.utils import sizes

TEXTS = [("ab", "ba"), ("b", "b")]
HUGE = 10**9


@pytest.fixture
def small_machine(monkeypatch):
    """One of 2 GB: a GB for one thing."""
    monkeypatch.setattr(sizes, "memory", lambda: 2e9)


def test_dimensions():
    assert sizes.check_dimension(2**24, "units") == 2**24
    assert sizes.check_dimension(0, "units", 0) == 0
    with pytest.raises(ValueError, match="`units`.*16,777,216.*units=20000000"):
        sizes.check_dimension(20_000_000, "units")
    with pytest.raises(ValueError, match="takes 4.0 GB for each.*Lower it"):
        sizes.check_dimension(HUGE, "units")
    with pytest.raises(ValueError, match="at least 1. Received: units=0"):
        sizes.check_dimension(0, "units")


def test_products(small_machine):
    sizes.check_fits("A table", {"a": 500, "b": 500_000})  # 1 GB exactly
    with pytest.raises(
        ValueError, match="A table.*1.0 GB. Received: a=500, b=500001, .*1.0 GB"
    ):
        sizes.check_fits("A table", {"a": 500, "b": 500_001})
    with pytest.raises(ValueError, match="a=7, which need at least 2.8 PB"):
        sizes.check_fits("A table", {"a": 7}, times=10**14)


def test_memory(monkeypatch, tmp_path):
    whole = sizes.memory()
    assert 1e8 < whole < 1e15
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(sizes, "CONTAINER", limit)
    assert sizes.memory() >= whole  # no container
    limit.write_text("max\n")
    assert sizes.memory() >= whole
    limit.write_text("123456\n")
    assert sizes.memory() == 123456
    monkeypatch.delattr(sizes.os, "sysconf")
    assert sizes.memory() == math.inf
    sizes.check_fits("A table", {"a": 10**30})


@pytest.mark.parametrize(
    "make, shape",
    [
        (lambda: k2s.layers.FeedForward(10**6), (1, 1, 500)),
        (
            lambda: k2s.layers.MultiHeadMechanism("dot", 10**3, head_dim=10**3),
            0,
        ),
    ],
)
def test_products_of_dense_layers(small_machine, make, shape):
    """As in the output layer: a million of 500 numbers are 2 GB."""
    layer = make()
    with pytest.raises(ValueError, match="dense layer.*must fit into half"):
        layer.build(shape) if shape else layer.build((1, 1, 500), (1, 1, 500))


def test_the_output_layer_and_the_filters_of_a_score(small_machine):
    sizes_of = {"source_vocabulary_size": 9, "embedding_dim": 4}
    with pytest.raises(ValueError, match="dense layer.*units=16000000"):
        k2s.models.Seq2Seq.from_preset(
            "luong_2015_small",
            target_vocabulary_size=16_000_000,
            **{**sizes_of, "units": 128},
        )
    score = k2s.layers.LocationAwareScore(4, filters=10**5, kernel_size=10**5)
    with pytest.raises(ValueError, match="filters of a score.*filters=100000"):
        score.build((1, 1, 4), (1, 1, 4))


def test_layers_are_no_dimension():
    block = k2s.layers.TransformerBlock(2, 8)
    with pytest.raises(ValueError, match="`num_layers` must be at most 4,096"):
        k2s.layers.TransformerEncoder(block, 2**20)


def test_states_that_are_repeated_for_the_beams(small_machine):
    search = k2s.search.BeamSearch(num_beams=10_000, max_length=2)
    check_states_size(search, {"h": ops.zeros((2, 12_500))})  # 1 GB exactly
    with pytest.raises(
        ValueError, match=r"\(2, 12501\), repeated.*num_beams=10000.*1.0 GB"
    ):
        check_states_size(search, {"h": ops.zeros((2, 12_501))})


@pytest.mark.parametrize(
    "kind, name",
    [
        (k2s.search.BeamSearch, "num_beams"),
        (k2s.search.DiverseBeamSearch, "num_beams"),
        (k2s.search.Sampling, "num_samples"),
    ],
)
def test_searches(small_machine, kind, name):
    with pytest.raises(ValueError, match=f"`{name}`.*16,777,216"):
        kind(**{name: 3 * HUGE})
    with pytest.raises(ValueError, match="`max_length`.*16,777,216.*4.0 GB"):
        kind(max_length=HUGE)
    # 100 places of 3 numbers for each: 1.2 kB.
    kind(**{name: 600_000})
    with pytest.raises(
        ValueError, match=f"max_length=100, {name}=900000, .*1.1 GB"
    ):
        kind(**{name: 900_000})


def test_rows_of_a_search_count(small_machine):
    search = k2s.search.BeamSearch(1000, max_length=100)  # 1.2 MB a source
    with pytest.raises(ValueError, match="batch_size=900, .*1.1 GB"):
        search(
            lambda *args: pytest.fail("a step"),
            ops.zeros((900, 1)),
            start_token_id=1,
            end_token_id=2,
            pad_token_id=0,
        )


def test_logits_of_a_search_count(small_machine):
    task = k2s.tasks.TextToText.from_corpus(
        TEXTS, "luong_2015", units=4, embedding_dim=3
    )
    search = k2s.search.BeamSearch(800_000, max_length=1)
    with pytest.raises(ValueError, match="logits.*_size=6, num_beams=800000"):
        check_search_size(search, 64, 6)
    with pytest.raises(ValueError, match="num_beams=800000"):
        task.generate(["ab"] * 64, search=search)


@pytest.mark.parametrize(
    "preset, settings, said",
    [
        ("luong_2015", {"units": HUGE}, "`units` must be at most"),
        ("luong_2015", {"units": 10**6}, "units=1000000, .* TB"),
        ("bahdanau_2015", {"units": 10**5}, "units=100000, .*40.0 GB"),
        ("luong_2015", {"embedding_dim": HUGE}, "`embedding_dim` must be at"),
        ("transformer_2017", {"hidden_dim": 10**5}, "hidden_dim=100000"),
        ("transformer_2017", {"num_layers": 10**6}, "num_layers=1000000"),
        (
            "transformer_2017",
            {"intermediate_dim": 10**6},
            "num_layers=6, hidden_dim=512, intermediate_dim=1000000, .*12.3 GB",
        ),
        ("radford_2018", {"max_length": HUGE}, "`max_length` must be at most"),
    ],
)
def test_presets(small_machine, preset, settings, said):
    with pytest.raises(ValueError, match=said):
        if preset in k2s.models.PRESETS:
            k2s.tasks.TextToText.from_corpus(TEXTS, preset, **settings)
        else:
            k2s.tasks.TextCompletion.from_texts(["ab"], preset, **settings)


def test_layers(small_machine):
    with pytest.raises(ValueError, match="vocabulary_size=1000000, embed.*TB"):
        k2s.layers.TokenEmbedding(1_000_000, 1_000_000)
    with pytest.raises(ValueError, match="`units` must be at most"):
        k2s.layers.AdditiveScore(HUGE)
    with pytest.raises(ValueError, match="units=100000, .*40.0 GB"):
        k2s.layers.MUT1Cell(100_000)
    position = k2s.layers.LearnedPosition(2**24)
    with pytest.raises(ValueError, match="max_length=16777216, dim=512"):
        position.build((None, None, 512))
    block = k2s.layers.TransformerBlock(2, 6)
    block.build((None, None, 64))
    with pytest.raises(ValueError, match="cache.*rows=1, length=8000000"):
        block.empty_cache(1, 8_000_000)


def test_the_full_presets_fit_anywhere(small_machine):
    """Settings of the papers are refused on no machine of 2 GB."""
    for names in (k2s.models.PRESETS, k2s.models.LANGUAGE_MODELS):
        for preset in names:
            k2s.models.presets.parts_of(preset, names, {}, ())
