"""Checks of sources, references and pairs."""

from keras_seq2seq.utils.checks import is_collection


def check_lengths(sources, references):
    """Raise unless both are lists of the same length."""
    for name, value in (("sources", sources), ("references", references)):
        if isinstance(value, str) or not hasattr(value, "__len__"):
            raise ValueError(
                f"`{name}` must be a list. "
                f"Received: {name} of type {type(value).__name__}. "
                "Make it a list, or use `ParallelCorpus.from_pairs`."
            )
    if len(sources) != len(references):
        raise ValueError(
            "`references` must hold one list of texts for each source. "
            f"Received: len(sources)={len(sources)}, "
            f"len(references)={len(references)}. For a list of pairs, use "
            "`ParallelCorpus.from_pairs`."
        )


def check_row(index, source, group):
    """Raise unless `source` is a string and `group` a list of strings."""
    if not isinstance(source, str):
        raise ValueError(
            "`sources` must hold strings. "
            f"Received: sources[{index}] of type {type(source).__name__}. "
            "Turn it into text, or leave the row out."
        )
    if isinstance(group, str) or not hasattr(group, "__len__"):
        raise ValueError(
            "`references` must hold a list of texts for each source. "
            f"Received: references[{index}] of type {type(group).__name__}. "
            "Wrap a single text in a list."
        )
    if not len(group):
        raise ValueError(
            "`references` must hold at least one text for each source. "
            f"Received: len(references[{index}])=0. Leave the source out."
        )
    for text in group:
        if not isinstance(text, str):
            raise ValueError(
                "`references` must hold lists of strings. Received: a text in "
                f"references[{index}] of type {type(text).__name__}. "
                "Turn it into text, or leave it out."
            )


def check_pairs(pairs):
    """Raise unless `pairs` is an iterable other than a string."""
    if not is_collection(pairs):
        raise TypeError(
            "`pairs` must be an iterable of (source, target) tuples. "
            f"Received: pairs of type `{type(pairs).__name__}`. A file is read "
            "by `ParallelCorpus.from_tsv`."
        )


def check_pair(index, pair):
    """Raise unless `pair` is a tuple or list of two strings."""
    if (
        not isinstance(pair, (tuple, list))
        or len(pair) != 2
        or not all(isinstance(text, str) for text in pair)
    ):
        raise ValueError(
            "`pairs` must hold (source, target) tuples of two strings. "
            f"Received: pairs[{index}], {_describe(pair)}. For several "
            "targets, pass one pair each."
        )


def _describe(pair):
    """Describe the types of a pair, for an error message."""
    kind = type(pair).__name__
    if not isinstance(pair, (tuple, list)):
        return f"of type {kind}"
    return f"a {kind} of {[type(part).__name__ for part in pair]}"
