"""A search that returns another number of hypotheses."""


def with_n_best(search, n_best):
    """`search` itself, or one like it that returns `n_best` hypotheses."""
    return search.with_n_best(n_best)
