"""What a call of `generate` may ask of the search."""

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq import search as searches
from keras_seq2seq.search import constraints
from tests.fixtures import trained_task

WORDS = ["attention", "a", "testing", ""]


@pytest.fixture(scope="module")
def task():
    task = trained_task("luong_2015")
    task.search = searches.BeamSearch(4, max_length=16)
    return task


def texts_of(found):
    return [[h.text for h in group] for group in found]


def test_another_search(task):
    greedy = task.generate(WORDS, search="greedy")
    assert greedy == task.generate(WORDS, search=searches.BeamSearch(1))
    assert task.search.num_beams == 4


def test_prefixes(task):
    prefixes = ["AH T", "", "K", "AH"]
    found = task.generate(WORDS, prefixes=prefixes, n_best=3)
    for prefix, group in zip(prefixes, found):
        tokens = prefix.split()
        assert len({h.text for h in group}) == 3
        for hypothesis in group:
            assert hypothesis.tokens[: len(tokens)] == tokens
    free = task.generate(WORDS, n_best=3)
    assert texts_of(found)[1] == texts_of(free)[1]
    one_for_all = task.generate(WORDS, prefixes="K")
    assert all(text.startswith("K") for text in one_for_all)
    alone = task.generate(WORDS[2:3], prefixes=["K"], n_best=3)
    assert texts_of(alone)[0] == texts_of(found)[2]


def test_banned_tokens(task):
    free = [group[0].tokens for group in task.generate(WORDS, n_best=1)]
    banned = [[tokens[0]] if tokens else [] for tokens in free]
    found = task.generate(WORDS, banned=banned, n_best=2)
    for tokens, group in zip(banned, found):
        assert not any(set(tokens) & set(h.tokens) for h in group)
    for_all = sorted({token for tokens in banned for token in tokens})
    for text in task.generate(WORDS, banned=for_all):
        assert not set(for_all) & set(text.split())
    none = task.generate(WORDS, banned=[[]] * len(WORDS))
    assert none == task.generate(WORDS)


def test_samples_do_not_see_their_neighbours(task):
    search = searches.Sampling(1.5, num_samples=3, max_length=16)
    seeds = [5, 6, 7, 8]
    together = task.generate(WORDS, search=search, seed=seeds, n_best=3)
    for word, seed, expected in zip(WORDS, seeds, texts_of(together)):
        alone = task.generate([word], search=search, seed=[seed], n_best=3)
        assert texts_of(alone) == [expected]
    assert texts_of(
        task.generate(WORDS, search=search, seed=5, n_best=3)
    ) == texts_of(together)


def test_seeds_of_numpy(task):
    search = searches.Sampling(2.0, max_length=16)
    found = []
    for seed in (1, 1, 2):
        keras.utils.set_random_seed(seed)
        found.append(task.generate(WORDS, search=search))
    assert found[0] == found[1] != found[2]


@pytest.mark.parametrize("search", ["greedy", "beam", "sampling"])
def test_log_probs_are_those_of_the_forced_pass(task, search):
    seed = 3 if search == "sampling" else None
    found = task.generate(WORDS, search=search, n_best=1, seed=seed)
    pairs = [(w, group[0].text) for w, group in zip(WORDS, found)]
    forced = task.score(pairs, per_token=True)
    for (hypothesis,), log_probs, total in zip(
        found, forced, task.score(pairs)
    ):
        np.testing.assert_allclose(hypothesis.log_probs, log_probs, atol=1e-5)
        assert abs(hypothesis.total_log_prob - total) < 1e-5
        assert abs(hypothesis.score - total) < 1e-5


def test_replacement_of_unknown_tokens(task):
    unknown = task.target_tokenizer.vocabulary.unknown_token_id
    every = range(len(task.target_tokenizer.vocabulary))
    only_unknown = searches.BeamSearch(
        3,
        max_length=4,
        min_length=4,
        constraints=[
            constraints.BannedTokens([i for i in every if i != unknown])
        ],
    )
    words = ["ab", "z"]
    kwargs = {"search": only_unknown, "n_best": 1}
    for word, (found,) in zip(
        words, task.generate(words, replace_unknown=True, **kwargs)
    ):
        assert len(found.tokens) == 4 and set(found.tokens) <= set(word)
        assert found.text == " ".join(found.tokens)
        most = np.argmax(found.attention_scores, axis=1)
        assert found.tokens == [word[place] for place in most]
    ((kept,), _) = task.generate(words, **kwargs)
    assert kept.tokens == ["[unknown]"] * 4


def test_where_a_place_is_no_token_nothing_is_replaced():
    layer = [keras.layers.GRUCell(4) for _ in range(2)]
    model = k2s.models.Seq2Seq(
        k2s.layers.PyramidalEncoder(
            [k2s.layers.RecurrentEncoder(cell) for cell in layer]
        ),
        k2s.layers.RecurrentDecoder(
            k2s.layers.LuongCell(keras.layers.GRUCell(4))
        ),
        source_vocabulary_size=6,
        target_vocabulary_size=6,
        embedding_dim=3,
    )
    letters = k2s.text.CharacterTokenizer.from_texts(["ab"])
    pyramid = k2s.tasks.TextToText(model, letters, letters, "greedy")
    with pytest.raises(ValueError, match="PyramidalEncoder.*stride=4"):
        pyramid.generate(["ab"], replace_unknown=True)
    names = k2s.tasks.TextCompletion.from_texts(
        ["ab"], "zaremba_2014", units=4, embedding_dim=3
    )
    with pytest.raises(ValueError, match="language model, which has none"):
        names.generate(["a"], replace_unknown=True)


def test_one_compilation_for_all_prefixes(task):
    search = searches.BeamSearch(2, max_length=6, constraints=["forced_prefix"])
    traces, step = [], task.model.decode_step

    def counted(*args, **kwargs):
        traces.append(args)
        return step(*args, **kwargs)

    task.model.decode_step = counted
    try:
        task.generate(["abc"], search=search, prefixes=["K"])
        first = len(traces)
        for prefix in ("", "AH", "T AH K", "S T EH P"):
            task.generate(["cba"], search=search, prefixes=[prefix])
    finally:
        del task.model.decode_step
    if keras.backend.backend() != "torch":  # it runs each step anew
        assert len(traces) == first
    names = [key for key in task._cached[1] if "ForcedPrefix" in str(key)]
    assert len([key for key in names if "max_length': 6" in str(key)]) == 1


@pytest.mark.parametrize(
    "settings, problem",
    [
        ({"search": "best"}, "`search`.*Received: search='best'"),
        (
            {"prefixes": ["a", "b"]},
            "`prefixes`.*one entry per text, 1.*length 2",
        ),
        ({"prefixes": "AH " * 17}, r"`prefixes`.*16.*prefixes\[0\] of 17"),
        ({"banned": [["AH"], []]}, "`banned`.*one entry per text, 1.*length 2"),
        ({"banned": ["Q"]}, r"`banned`.*banned\[0\] with an unknown token"),
        ({"prefixes": "AH Q"}, r"`prefixes`.*unknown token at position 1"),
        ({"seed": 3}, "`seed` needs.*seed=3 and a `BeamSearch`"),
        ({"search": "sampling", "seed": 0.5}, "`seed` must be.*seed=0.5"),
        ({"search": "sampling", "seed": [2**31]}, "`seed` must fit.*32 bits"),
        ({"search": "sampling", "seed": 2**40}, "to 2147483647.*with 109951"),
        ({"search": "sampling", "seed": [1, 2]}, "`seed`.*one entry per text"),
    ],
)
def test_errors(task, settings, problem):
    with pytest.raises(ValueError, match=problem):
        task.generate(["a"], **settings)
    with pytest.raises(TypeError, match="`replace_unknown` must be a `bool`"):
        task.generate(["a"], replace_unknown="yes")


class Wish(constraints.Constraint):
    input_names = ("wish",)


def test_inputs_that_a_task_does_not_know(task):
    search = searches.BeamSearch(constraints=[Wish()])
    with pytest.raises(ValueError, match="wish.*InferenceModel"):
        task.generate(["a"], search=search)
