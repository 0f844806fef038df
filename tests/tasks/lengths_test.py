"""Sources and targets up to the positions that a model has learned."""

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.tasks.length_batches import _find_bucket
from keras_seq2seq.testing import assert_close
from tests.helpers.models import shaken

pytestmark = pytest.mark.eager

PAIRS = [("ab", "ba"), ("abba", "abba"), ("b", "b")]
BLOCK = k2s.layers.TransformerBlock(2, 6)


def task(single=False, source=9, target=5):
    """Nine places for a source, five for a target, or 14 for both."""
    if single:
        encoder = k2s.layers.IdentityEncoder()
        decoder = k2s.layers.PrefixDecoder(
            BLOCK, 1, position=k2s.layers.LearnedPosition(source + target)
        )
    else:
        encoder = k2s.layers.TransformerEncoder(
            BLOCK, 1, position=k2s.layers.LearnedPosition(source)
        )
        decoder = k2s.layers.TransformerDecoder(
            BLOCK, 1, position=k2s.layers.LearnedPosition(target)
        )
    tokenizer = k2s.text.CharacterTokenizer.from_texts(["ab"])
    model = k2s.models.Seq2Seq(
        encoder,
        decoder,
        source_vocabulary_size=6,
        target_vocabulary_size=6,
        embedding_dim=4,
    )
    search = k2s.search.GreedySearch(max_length=5)
    return k2s.tasks.TextToText(shaken(model), tokenizer, tokenizer, search)


@pytest.fixture(scope="module", params=[False, True], ids=["two", "single"])
def made(request):
    return task(request.param)


def test_as_long_as_there_are_positions(made):
    # The next length of the grid, 12, would be too long.
    assert len(made.generate(["a" * 9, "ab"])) == 2
    scores = made.score([("a" * 9, "bbbb")])
    longer = task(made.model.encoder.name.startswith("identity"), source=30)
    for old, new in zip(made.model.weights, longer.model.weights):
        value = keras.ops.convert_to_numpy(old)
        rows = len(value)
        new.assign(np.concatenate([value, np.zeros(new.shape)[rows:]]))
    assert_close(np.array(longer.score([("a" * 9, "bbbb")])), np.array(scores))


def test_few_lengths_near_the_limit():
    """The grid up to 32 places, and the limit of 40: no length of its own."""
    model = task(single=True, source=32, target=8).model
    found = {_find_bucket((n,), model, 1) for n in range(40)}
    assert sorted(found) == [(n,) for n in (4, 6, 8, 12, 16, 24, 32, 39)]
    pairs = [(n, 8) for n in range(25, 33)]
    assert {_find_bucket(pair, model) for pair in pairs} == {(32, 8)}
    assert _find_bucket((33, 5), model) == (35, 5)
    with pytest.raises(ValueError, match="max_length=40.*length=41"):
        _find_bucket((33, 8), model)


def test_limits_of_a_model():
    """Nine for the source and five for the target, or 14 for both."""
    two, single = task().model, task(single=True).model
    assert [two.max_source_length(n) for n in (1, 5)] == [9, 9]
    assert [two.max_target_length(n) for n in (1, 9)] == [5, 5]
    assert [single.max_source_length(n) for n in (1, 5)] == [13, 9]
    assert [single.max_target_length(n) for n in (1, 9)] == [13, 5]
    endless = k2s.models.Seq2Seq.from_preset(
        "transformer_2017",
        hidden_dim=4,
        num_layers=1,
        num_heads=2,
        intermediate_dim=4,
        source_vocabulary_size=6,
        target_vocabulary_size=6,
    )
    assert endless.max_source_length(9) is endless.max_target_length(9) is None


def test_longer(made):
    limit = "max_length=(9|14)"
    with pytest.raises(ValueError, match=f"{limit}.*length=(10|15).*Cut it"):
        made.generate(["ab", "a" * 10])
    with pytest.raises(ValueError, match=f"{limit}.*length=(10|15)"):
        made.score([("a" * 10, "bbbb")])
    made.compile()
    with pytest.raises(ValueError, match=f"{limit}.*length=(10|15)"):
        made.fit([*PAIRS, ("a" * 10, "bbbb")], num_buckets=1, verbose=0)


def test_longer_target():
    made = task()
    with pytest.raises(ValueError, match="max_length=5.*length=6"):
        made.score([("a", "bbbbb")])
    with pytest.raises(ValueError, match="max_length=5.*length=8"):
        made.generate(["a"], search=k2s.search.GreedySearch(max_length=8))


def test_language_model():
    made = k2s.tasks.TextCompletion.from_texts(
        ["ab"],
        "radford_2018",
        hidden_dim=4,
        num_layers=1,
        num_heads=2,
        max_length=12,
        search=k2s.search.GreedySearch(max_length=5),
    )
    # The start token, 7 of the beginning, 4 of the answer: its last token is
    # never read.
    assert len(made.generate(["abababa"])) == 1
    with pytest.raises(ValueError, match="max_length=12.*length=13"):
        made.generate(["abababab"])


def test_export_cuts_at_the_positions(made):
    from keras_seq2seq.export.saved_model import choose_source_length

    assert choose_source_length(made, None) == 9
    assert choose_source_length(made, 7) == 7
    with pytest.raises(ValueError, match="max_length=(9|14)"):
        choose_source_length(made, 10)
