"""A search that returns another number of hypotheses."""


def with_n_best(search, n_best):
    """`search` itself, or one like it that returns `n_best` hypotheses."""
    if n_best == search.n_best:
        return search
    if "n_best" not in search.get_config():
        raise ValueError(
            f"`n_best` must be {search.n_best} with the task's search, a "
            f"`{type(search).__name__}`. Received: n_best={n_best!r}. Compile "
            "the task with `search=BeamSearch(...)` for more."
        )
    return search.replace(n_best=n_best)
