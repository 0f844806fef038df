"""What a search is told of each text: prefixes, bans and seeds."""

import numbers

import numpy as np

from keras_seq2seq.models.search_inputs import unknown_inputs
from keras_seq2seq.search.constraints import BannedMask
from keras_seq2seq.search.constraints import ForcedPrefix
from keras_seq2seq.tasks.checks import check_texts
from keras_seq2seq.tasks.checks import is_collection
from keras_seq2seq.utils.token_ids import check_32_bits

SEEDS = 2**31


def with_row_inputs(search, prefixes, banned):
    """The search, with constraints that take what there is of the rows."""
    wanted = {"prefix": (prefixes, ForcedPrefix)}
    wanted["banned_mask"] = banned, BannedMask
    added = [
        kind()
        for name, (given, kind) in wanted.items()
        if given is not None and name not in search.input_names
    ]
    if not added:
        return search
    return search.replace(constraints=[*search.constraints, *added])


def row_inputs(search, count, tokenizer, *, prefixes, banned, seed):
    """Dict of the search's data inputs, an array of `count` rows each.

    Prefixes are padded to the search's `max_length`, so that all share one
    compilation.

    Args:
        search: `Search`.
        count: Integer, the number of texts.
        tokenizer: `Tokenizer` of the target.
        prefixes: List of strings, one string for all, or `None`.
        banned: List of lists of tokens, one list for all, or `None`.
        seed: Integer, list of integers, or `None`.
    """
    inputs = {}
    if "prefix" in search.input_names:
        prefixes = "" if prefixes is None else prefixes
        if isinstance(prefixes, str):
            prefixes = [prefixes] * count
        prefixes = check_texts(prefixes, "prefixes")
        _check_count(prefixes, "prefixes", count)
        inputs["prefix"] = _padded(prefixes, tokenizer, search.max_length)
    if "banned_mask" in search.input_names:
        inputs["banned_mask"] = _mask(banned, tokenizer.vocabulary, count)
    if "seed" in search.input_names:
        inputs["seed"] = _seeds(seed, count)
    elif seed is not None:
        raise ValueError(
            "`seed` is for a search that draws at random. Received: "
            f"seed={seed!r} and a `{type(search).__name__}`. Leave it out, or "
            "use `search=Sampling(...)`."
        )
    missing = unknown_inputs(search)
    if missing:
        raise ValueError(
            "A task tells a search of prefixes, bans and seeds. Received: a "
            f"search that needs {missing}. Use an `InferenceModel`."
        )
    return inputs


def _check_count(values, argument, count):
    if len(values) != count:
        raise ValueError(
            f"`{argument}` must have one entry a text, {count}. Received: "
            f"{argument} of length {len(values)}"
        )


def _padded(prefixes, tokenizer, max_length):
    """Integers of shape `(len(prefixes), max_length)`."""
    vocabulary = tokenizer.vocabulary
    shape = len(prefixes), max_length
    token_ids = np.full(shape, vocabulary.pad_token_id, "int32")
    for place, prefix in enumerate(prefixes):
        ids = tokenizer.encode_beginning(prefix)
        if len(ids) > max_length:
            raise ValueError(
                "`prefixes` must fit into the search's `max_length`, "
                f"{max_length}. Received: prefixes[{place}] of {len(ids)} "
                "tokens"
            )
        if vocabulary.unknown_token_id in ids:
            raise ValueError(
                "`prefixes` must be made of tokens of the target's vocabulary. "
                f"Received: prefixes[{place}] with an unknown token at place "
                f"{ids.index(vocabulary.unknown_token_id)}"
            )
        token_ids[place, : len(ids)] = ids
    return token_ids


def _mask(banned, vocabulary, count):
    """Booleans of shape `(count, len(vocabulary))`, `True` where banned."""
    banned = [] if banned is None else banned
    if not is_collection(banned):
        raise TypeError(
            "`banned` must be a list of tokens, or one a text. Received: "
            f"banned of type `{type(banned).__name__}`"
        )
    if all(isinstance(entry, str) for entry in banned):
        banned = [banned] * count
    _check_count(banned, "banned", count)
    mask = np.zeros((count, len(vocabulary)), "bool")
    for place, tokens in enumerate(banned):
        check_texts(tokens, f"banned[{place}]")
        ids = [vocabulary.token_to_id(token) for token in tokens]
        if [vocabulary.id_to_token(i) for i in ids] != list(tokens):
            raise ValueError(
                "`banned` must hold tokens of the target's vocabulary. "
                f"Received: banned[{place}] with an unknown token"
            )
        mask[place, ids] = True
    return mask


def _seeds(seed, count):
    """Int32 seeds: from one seed, a text's is its place beyond it."""
    if seed is None:
        seed = np.random.randint(SEEDS)  # of `keras.utils.set_random_seed`
    is_one = isinstance(seed, numbers.Integral) and not isinstance(seed, bool)
    given = [seed] if is_one else seed
    if not isinstance(given, (list, tuple, np.ndarray)) or not all(
        isinstance(number, numbers.Integral) for number in given
    ):
        raise ValueError(
            "`seed` must be an integer, or a list of integers, of 32 bits. "
            f"Received: seed={seed!r}"
        )
    check_32_bits(given, "seed")
    if is_one:
        given = [(int(seed) + place) % SEEDS for place in range(count)]
    _check_count(given, "seed", count)
    return np.array(given, "int32")
