import dataclasses

import numpy as np

from keras_seq2seq.utils.axes import check_axes
from keras_seq2seq.utils.token_ids import check_32_bits


@dataclasses.dataclass(frozen=True)
class SearchInput:
    """A data input of a search: an array with an entry for each source.

    Constraints, penalties and searches list theirs in `inputs`, and read the
    array by its name. `InferenceModel` then takes the array as another input,
    `task.generate` takes it as an argument, and so does a served signature.

    Args:
        name: String. The array's name in the inputs of a call.
        shape: Tuple. The axes after the batch: sizes, or names of sizes.
            `"vocabulary_size"` is the size of the target vocabulary; other
            names stand for any size. Defaults to `()`.
        dtype: String. Defaults to `"int32"`.
        neutral: Number or boolean. The value that has no effect. Defaults to
            `0`.
        meaning: String. A description for the users of an export.
        from_source: Boolean. Whether the model computes the array from the
            source, so that users do not pass it. Defaults to `False`.

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

    holds_token_ids = False  # of the target; requests have texts instead
    constraint = None  # the constraint that a task adds if the input is given

    @property
    def argument(self):
        """Name of the argument of `task.generate`."""
        return self.name

    @property
    def axes(self):
        """Tuple of the names and sizes of the axes."""
        return ("batch_size", *self.shape)

    def sizes(self, vocabulary_size=None):
        """Shape with the batch axis; `None` for unknown sizes."""
        known = {"vocabulary_size": vocabulary_size}
        return tuple(
            known.get(axis) if isinstance(axis, str) else axis
            for axis in self.axes
        )

    def rows(self, given, count, *, tokenizer, max_length):
        """Convert an argument of `task.generate` to an array of `count` rows.

        Args:
            given: The argument: one value for all texts, or a list with a value
                for each text. `None` is the neutral value.
            count: Integer. The number of texts.
            tokenizer: `Tokenizer` of the target.
            max_length: Integer. The search's `max_length`.
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
        """Array of `count` rows without effect."""
        _, *sizes = self.sizes(vocabulary_size)
        shape = count, *(1 if size is None else size for size in sizes)
        return np.full(shape, self.neutral, self.dtype)

    def check_count(self, given, count):
        """Raise unless there is one entry for each text."""
        if len(given) != count:
            raise ValueError(
                f"`{self.argument}` must have one entry per text, {count}. "
                f"Received: {self.argument} of length {len(given)}"
            )
