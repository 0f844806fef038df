"""The searches of an export."""

from keras_seq2seq.export.names import RESERVED
from keras_seq2seq.export.names import SAMPLE
from keras_seq2seq.export.names import STANDARD
from keras_seq2seq.export.names import check_name
from keras_seq2seq.search import Sampling
from keras_seq2seq.search import Search
from keras_seq2seq.search.data_inputs import caller_inputs
from keras_seq2seq.utils import registry


def resolve_searches(searches):
    """Check the searches of an export and make instances of them.

    Args:
        searches: Dict of name -> `Search`, its name or config; or `None`.

    Returns:
        Dict of name -> `Search`.
    """
    searches = {} if searches is None else searches
    if not isinstance(searches, dict):
        raise TypeError(
            "`searches` must be a dict of signature name -> search. Received: "
            f"searches of type `{type(searches).__name__}`"
        )
    for name in searches:
        check_name(name, "searches", {*STANDARD, *RESERVED} - {SAMPLE})
    searches = {
        name: registry.get(search, Search, f"searches[{name!r}]")
        for name, search in searches.items()
    }
    for name, search in searches.items():
        check_inputs(search, f"searches[{name!r}]")
    return searches


def check_inputs(search, argument):
    """Raise if a request cannot hold what a search asks for."""
    cure = "Leave out the part that asks for it."
    caller_inputs(search, cure, argument)


def choose_n_best(search):
    """The search's own number, or, if that is 1, up to five of its beams."""
    if search.n_best > 1:
        return search.n_best
    return min(search.width, 5)


def make_sampling(search):
    """The search itself if it samples, or a `Sampling` with its limits."""
    if isinstance(search, Sampling):
        return search
    return Sampling(
        max_length=search.max_length,
        min_length=search.min_length,
        constraints=search.constraints,
    )
