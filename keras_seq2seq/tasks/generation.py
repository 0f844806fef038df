"""Which search answers, and what it finds for each source."""

from keras_seq2seq.search import Search
from keras_seq2seq.tasks.length_batches import predict_rows
from keras_seq2seq.tasks.row_inputs import with_row_inputs
from keras_seq2seq.utils import registry


def chosen_search(search, n_best, **inputs):
    """The `Search` of one call of `generate`, which reads what is given."""
    search = registry.get(search, Search, "search")
    if n_best is not None:
        search = search.with_n_best(n_best)
    return with_row_inputs(search, **inputs)


def answers(inference, rows, batch, inputs, *, verbose):
    """List of dicts of arrays, what a search finds for each row.

    Args:
        inference: `InferenceModel`.
        rows: List of encoded sources.
        batch: Function of rows and a length, `batch_sources` of a task.
        inputs: Dict of name -> array with one entry a row, what the search is
            told besides.
        verbose: As for `predict_rows`.
    """

    def answer(places, bucket):
        sources = batch([rows[place] for place in places], bucket[0])
        own = {name: x[places] for name, x in inputs.items()}
        return inference.predict_on_batch({**sources, **own})

    return predict_rows(
        answer,
        list(range(len(rows))),
        [(len(row),) for row in rows],
        model=inference.model,
        target_length=inference.search.max_length,
        verbose=verbose,
    )
