"""Filters of a corpus, each one function.

A filter takes a `Candidate` and a limit, and returns whether to remove the
pair. `FILTERS` has them in the order in which they are applied. The last one
remembers the pair, so it must see only pairs that no other filter removes.
"""

import collections
from typing import NamedTuple

from keras_seq2seq.data.hash_set import HashSet
from keras_seq2seq.text import Tokenizer
from keras_seq2seq.text.utf8 import REPLACEMENT_CHARACTER
from keras_seq2seq.text.utf8 import replace_surrogates
from keras_seq2seq.utils.checks import check_choice
from keras_seq2seq.utils.checks import check_integer
from keras_seq2seq.utils.checks import check_number
from keras_seq2seq.utils.checks import is_collection


class Candidate(NamedTuple):
    """Pair of texts, the lengths of both, and hashes of the pairs before."""

    source: str
    target: str
    lengths: tuple[int, int]
    seen: HashSet


def is_empty(pair, limit):
    return not pair.source.strip() or not pair.target.strip()


def is_broken(pair, limit):
    return any(
        not text.isascii() and REPLACEMENT_CHARACTER in replace_surrogates(text)
        for text in (pair.source, pair.target)
    )


def is_copy(pair, limit):
    return pair.source.strip() == pair.target.strip()


def is_long(pair, limit):
    return max(pair.lengths) > limit


def is_uneven(pair, limit):
    shorter, longer = sorted(pair.lengths)
    return shorter > 0 and longer > limit * shorter


def is_repeated(pair, limit):
    return not pair.seen.add(hash((pair.source, pair.target)))


FILTERS = {
    "empty": is_empty,
    "broken": is_broken,
    "copy": is_copy,
    "long": is_long,
    "uneven": is_uneven,
    "repeated": is_repeated,
}
BY_DEFAULT = [name for name in FILTERS if name not in ("long", "uneven")]


def choose_limits(max_length, max_ratio, keep):
    """Choose the filters to apply; return a dict of name -> limit."""
    if not is_collection(keep):
        raise TypeError(
            "`keep` must be a list of names of filters. Received: keep of "
            f"type `{type(keep).__name__}`. Put a single name into a list."
        )
    kept = {check_choice(name, "keep", BY_DEFAULT) for name in keep}
    limits = {name: None for name in BY_DEFAULT if name not in kept}
    if max_length is not None:
        limits["long"] = check_integer(max_length, "max_length", 1)
    if max_ratio is not None:
        limits["uneven"] = check_number(max_ratio, "max_ratio", 1)
    return {name: limits[name] for name in FILTERS if name in limits}


class FilterPass:
    """One pass of filters over pairs.

    Args:
        limits: Dict from `choose_limits`.
        tokenizers: Pair of names or `Tokenizer`s, for the lengths.

    `counts` has the number of pairs that each filter has removed so far.
    """

    def __init__(self, limits, tokenizers):
        self.limits = limits
        self.counts = dict.fromkeys(limits, 0)
        self._seen = HashSet()
        self._measures = [_measure(tokenizer) for tokenizer in tokenizers]
        if not {"long", "uneven"} & {*limits}:
            self._measures = [_zero, _zero]  # tokenizing is slow

    def keeps(self, source, target, lengths=None) -> bool:
        """Whether no filter removes a pair, whose lengths may be known."""
        if lengths is None:
            texts = source, target
            lengths = [f(text) for f, text in zip(self._measures, texts)]
        pair = Candidate(source, target, lengths, self._seen)
        for name, limit in self.limits.items():
            if FILTERS[name](pair, limit):
                self.counts[name] += 1
                return False
        return True


def check_left(kept, counts):
    """Raise if filters removed all pairs; `kept` is the number of others."""
    if not kept and any(counts.values()):
        reasons = collections.Counter(counts).most_common()
        received = ", ".join(f"{n:,} {name}" for name, n in reasons if n)
        raise ValueError(
            "Filters must keep at least one pair. Received: a corpus of which "
            f"all pairs are removed: {received}. Raise the limits, or pass "
            "names of filters in `keep`."
        )


def _measure(tokenizer):
    """Get the function that computes the length of a text."""
    if isinstance(tokenizer, Tokenizer):
        return lambda text: len(tokenizer.tokenize(text))
    if not isinstance(tokenizer, str):
        raise TypeError(
            "The tokenizers of a corpus must be names, such as `subword`. "
            f"Received: tokenizer of type `{type(tokenizer).__name__}`. Give "
            "the settings of a tokenizer to `from_corpus`."
        )
    return len if tokenizer == "character" else _words


def _words(text):
    return len(text.split())


def _zero(text):
    return 0
