from keras_seq2seq.export.client.serving_error import ServingError


class PartialFailure(ServingError):
    """Some rows have answers, some have not.

    Args:
        rows: List of answers, `None` where there is none.
        errors: Dict of `(first, last + 1)` of the rows -> `ServingError`.
    """

    def __init__(self, rows, errors):
        self.rows = rows
        self.errors = errors
        missing = sum(row is None for row in rows)
        (first, end), error = next(iter(errors.items()))
        super().__init__(
            f"{missing} of {len(rows)} rows have no answer. Received: first of "
            f"all, for rows {first} to {end - 1}: {error} The answers are in "
            "`error.rows`, the reasons in `error.errors`."
        )
