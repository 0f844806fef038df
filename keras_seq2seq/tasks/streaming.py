"""Generates texts for sources that need not fit into memory."""

import itertools

from keras_seq2seq.search import Search
from keras_seq2seq.tasks.length_batches import longest_source
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_integer
from keras_seq2seq.utils.chunks import chunks


def generate_stream(task, sources, *, window, search, seed, **options):
    """Yield what `task.generate` returns for each source, window by window.

    Args:
        task: `Task`.
        sources: Iterable. `None` stands for a source that cannot be read.
        window: Integer. Number of sources that are sorted by length together.
        search, seed, **options: As for `generate`.

    Yields:
        For each source in order a result, or `None` for `None` and for a source
        that is too long.
    """
    check_integer(window, "window", 1)
    search = registry.get(
        task.search if search is None else search, Search, "search"
    )
    limit = longest_source(task.model, search.max_length)
    numbers = itertools.count(step=window)
    for first, chunk in zip(numbers, chunks(sources, window)):
        rows = iter(task.encode_source([x for x in chunk if x is not None]))
        fits = [x is not None and len(next(rows)) <= limit for x in chunk]
        found = task.generate(
            [x for x, fit in zip(chunk, fits) if fit],
            search=search,
            seed=None if seed is None else _seeds(first + seed, fits),
            **options,
        )
        found = iter(found)
        yield from (next(found) if fit else None for fit in fits)


def _seeds(first, fits):
    """Seeds of the sources that fit: each has that of its number."""
    return [first + number for number, fit in enumerate(fits) if fit]
