import dataclasses

import numpy as np

from keras_seq2seq.utils.axes import check_axes
from keras_seq2seq.utils.token_ids import check_32_bits


@dataclasses.dataclass(frozen=True)
class SearchInput:
    """A data input of a search: an array that says something of each source.

    Constraints, penalties and searches list theirs in `inputs`, and read the
    array under its name. Whoever uses the search needs to know no more than
    what it says: `InferenceModel` takes the array beside the source, the
    `generate` of a task takes it as an argument, and a served signature asks
    for it.

    Args:
        name: String. The array's name in the inputs of a call.
        shape: Tuple, the axes after the batch: sizes, or names of sizes.
            `"vocabulary_size"` is that of the target, others are free.
            Defaults to `()`.
        dtype: String. Defaults to `"int32"`.
        neutral: Number or boolean, the value that changes nothing. Defaults
            to `0`.
        meaning: String, for those who send requests to an export.
        from_source: Boolean. Whether the model works the array out from the
            source, and nobody is asked for it. Defaults to `False`.

    Example:

    >>> least = k2s.search.SearchInput("least", meaning="shortest answer")
    >>> least.neutral_rows(3, vocabulary_size=9).tolist()
    [0, 0, 0]
    """

    name: str
    shape: tuple = ()
    _: dataclasses.KW_ONLY
    dtype: str = "int32"
    neutral: float = 0
    meaning: str = ""
    from_source: bool = False

    holds_token_ids = False  # of the target; a request has texts in their place
    constraint = None  # name of the one that a task adds where it is asked for

    @property
    def argument(self):
        """What `generate` of a task calls it."""
        return self.name

    @property
    def axes(self):
        """What the axes are, as for `check_axes`."""
        return ("batch_size", *self.shape)

    def sizes(self, vocabulary_size=None):
        """Shape with the batch; `None` for sizes that are not known."""
        known = {"vocabulary_size": vocabulary_size}
        return tuple(
            known.get(axis) if isinstance(axis, str) else axis
            for axis in self.axes
        )

    def rows(self, given, count, *, tokenizer, max_length):
        """The array for a task, of `count` rows.

        Args:
            given: What a user gave: a value for all texts, or a list of
                values, one a text; `None` for the neutral one.
            count: Integer, the number of texts.
            tokenizer: `Tokenizer` of the target.
            max_length: Integer, of the search.
        """
        size = len(tokenizer.vocabulary)
        if given is None:
            return self.neutral_rows(count, size)
        values = np.asarray(given)
        if values.ndim == len(self.shape):
            values = np.broadcast_to(values, (count, *values.shape))
        self.check_count(values, count)
        check_axes({self.argument: values}, {self.argument: self.sizes(size)})
        if not np.can_cast(values.dtype, self.dtype, "same_kind"):
            raise ValueError(
                f"`{self.argument}` must be of the dtype {self.dtype}. "
                f"Received: {self.argument}={given!r}"
            )
        if self.dtype == "int32":
            check_32_bits(values, self.argument)
        return values.astype(self.dtype)

    def neutral_rows(self, count, vocabulary_size):
        """Array of `count` rows that changes nothing."""
        _, *sizes = self.sizes(vocabulary_size)
        shape = count, *(1 if size is None else size for size in sizes)
        return np.full(shape, self.neutral, self.dtype)

    def check_count(self, given, count):
        """Raise unless there is one entry a text."""
        if len(given) != count:
            raise ValueError(
                f"`{self.argument}` must have one entry a text, {count}. "
                f"Received: {self.argument} of length {len(given)}"
            )
