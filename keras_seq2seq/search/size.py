import math

from keras import tree

from keras_seq2seq.utils.sizes import check_fits

KEPT = 3  # numbers for each token: itself, its beam, its log-probability


def check_search_size(search, rows=1, vocabulary_size=None):
    """Raise where what a search of so many sources keeps does not fit.

    Args:
        search: `Search`.
        rows: Integer; anything else, where it is not known, counts as 1.
        vocabulary_size: Integer, or `None` where it is not known.
    """
    name = search.width_argument or "width"
    sizes = {} if search.width == 1 else {name: search.width}
    if isinstance(rows, int) and rows > 1:
        sizes["batch_size"] = rows
    record = {"max_length": search.max_length, **sizes}
    check_fits("The tokens of a search", record, times=KEPT)
    if vocabulary_size is not None:
        logits = {"vocabulary_size": vocabulary_size, **sizes}
        check_fits("The logits of a step of the search", logits)


def check_states_size(search, states):
    """Raise where the states, repeated for all beams, do not fit.

    Args:
        search: `Search`.
        states: Nested tensors with the sources in front. A size that is not
            known counts as 1.
    """
    name = search.width_argument or "width"
    for state in tree.flatten(states):
        shape = tuple(state.shape)
        numbers = math.prod(n for n in shape if isinstance(n, int))
        what = f"States of shape {shape}, repeated for the search,"
        check_fits(what, {name: search.width}, times=max(1, numbers))
