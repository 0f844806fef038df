"""Runs a search on encoded sources."""

from keras_seq2seq.search import Search
from keras_seq2seq.tasks.length_batches import predict_rows
from keras_seq2seq.tasks.row_inputs import add_constraints
from keras_seq2seq.utils import registry


def select_search(search, n_best, **inputs):
    """Select the `Search` for a call of `generate`.

    Constraints that read the given inputs are added.
    """
    search = registry.get(search, Search, "search")
    if n_best is not None:
        search = search.with_n_best(n_best)
    return add_constraints(search, **inputs)


def run_search(inference, rows, batch, inputs, *, verbose):
    """Run a search; return a list with a dict of arrays for each row.

    Args:
        inference: `InferenceModel`.
        rows: List of encoded sources.
        batch: Function of rows and a length: `batch_sources` of a task.
        inputs: Dict of name -> array with one entry per row, the data inputs of
            the search.
        verbose: As for `predict_rows`.
    """

    def predict(indices, bucket):
        sources = batch([rows[index] for index in indices], bucket[0])
        own = {name: x[indices] for name, x in inputs.items()}
        return inference.predict_on_batch({**sources, **own})

    return predict_rows(
        predict,
        list(range(len(rows))),
        [(len(row),) for row in rows],
        model=inference.model,
        target_length=inference.search.max_length,
        verbose=verbose,
    )
