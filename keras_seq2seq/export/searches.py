"""The searches of an export, by the names of their signatures."""

import re

from keras_seq2seq.search import Sampling
from keras_seq2seq.search import Search
from keras_seq2seq.search.data_inputs import caller_inputs
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_choice

FIXED = ("serving_default", "n_best", "score", "token_ids")
SAMPLE = "sample"
SIGNATURES = (*FIXED, SAMPLE)
ASKED = ("attention",)  # exported where they are named
# What a loaded SavedModel calls its own.
TAKEN = (
    "non_trainable_variables",
    "signatures",
    "trainable_variables",
    "variables",
)


def checked_searches(searches):
    """Dict of name -> `Search`.

    Args:
        searches: Dict of name -> `Search`, its name or config; or `None`.
    """
    searches = {} if searches is None else searches
    if not isinstance(searches, dict):
        raise TypeError(
            "`searches` must be a dict of signature name -> search. Received: "
            f"searches of type `{type(searches).__name__}`"
        )
    for name in searches:
        _check_name(name)
    searches = {
        name: registry.get(search, Search, f"searches[{name!r}]")
        for name, search in searches.items()
    }
    for name, search in searches.items():
        check_inputs(search, f"searches[{name!r}]")
    return searches


def check_inputs(search, argument):
    """Raise where a search asks for what no signature can give it."""
    cure = "Leave out the part that asks for it."
    caller_inputs(search, cure, argument)


def checked_signatures(signatures):
    """Names of the signatures to export, `serving_default` among them."""
    if signatures is None:
        return SIGNATURES
    for name in signatures:
        check_choice(name, "signatures", (*SIGNATURES, *ASKED))
    return ("serving_default", *signatures)


def default_n_best(search):
    """The search's own number, or, where that is 1, up to five beams."""
    if search.n_best > 1:
        return search.n_best
    return min(search.width, 5)


def default_sampling(search):
    """The search itself where it samples; or one with the same limits."""
    if isinstance(search, Sampling):
        return search
    return Sampling(
        max_length=search.max_length,
        min_length=search.min_length,
        constraints=search.constraints,
    )


def _check_name(name):
    is_name = isinstance(name, str) and re.fullmatch("[a-z][a-z0-9_]*", name)
    others = *FIXED, *ASKED, *TAKEN
    if not is_name or name in others:
        raise ValueError(
            "The names of `searches` must be small letters, digits and "
            f"underscores, and none of {[*others]}. Received: {name!r}"
        )
