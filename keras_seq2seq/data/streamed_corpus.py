"""Pairs of texts that need not fit into memory."""

import dataclasses
from collections.abc import Iterator
from collections.abc import Sequence

from keras_seq2seq.data import filters
from keras_seq2seq.data.corpus_splits import CorpusSplits
from keras_seq2seq.data.hash_split import SPLITS
from keras_seq2seq.data.hash_split import check_fractions
from keras_seq2seq.data.hash_split import split_of
from keras_seq2seq.data.pair_reader import PairReader
from keras_seq2seq.data.pair_sources import PairSources
from keras_seq2seq.data.parallel_corpus import ParallelCorpus
from keras_seq2seq.text import Tokenizer
from keras_seq2seq.utils.files import check_regular_file


@dataclasses.dataclass(frozen=True, repr=False)
class StreamedCorpus(PairSources):
    """Pairs of source and target texts, read anew each time.

    For corpora of millions of pairs: no text stays in memory. A task encodes
    them to token ids once, and can keep these in files (see
    `task.encode_corpus`). It is created by the same methods as a
    `ParallelCorpus`: `from_files`, `from_tsv`, `from_json_lines`, `from_rows`,
    `from_tfds` and `from_pairs`, whose iterable must start anew each time.

    - `filtered(...)` and `split(...)` work as those of a `ParallelCorpus`, in
      each pass.
    - `pairs()` returns an iterator of `(source, target)`.
    - `in_memory()` returns a `ParallelCorpus`.

    Args:
        reader: `PairReader`.
        source_tokenizer, target_tokenizer: Names of suitable tokenizers, which
            a task learns by default. Default to `"character"`.
        limits, measures: Filters to apply and the tokenizers for their lengths;
            see `filtered`.
        part: Tuple of a split and the fractions; see `split`.

    Example:

    >>> corpus = k2s.data.StreamedCorpus.from_pairs([("a", "b"), ("c", "")])
    >>> list(corpus.filtered().pairs())
    [('a', 'b')]
    """

    reader: PairReader
    source_tokenizer: str = "character"
    target_tokenizer: str = "character"
    limits: dict | None = None
    measures: tuple | None = None
    part: tuple | None = None

    def __post_init__(self):
        if not self.reader.starts_anew:
            raise TypeError(
                "The pairs of a `StreamedCorpus` are read several times. "
                "Received: an iterator, which ends once. Pass an object whose "
                "`__iter__` starts anew, or create a `ParallelCorpus`."
            )
        for path in self.reader.files or ():
            check_regular_file(path)

    @classmethod
    def from_reader(cls, reader: PairReader, **tokenizers: str):
        return cls(reader, **tokenizers)

    def filtered(
        self,
        *,
        max_length: int | None = None,
        max_ratio: float | None = None,
        keep: Sequence[str] = (),
        source_tokenizer: Tokenizer | str | None = None,
        target_tokenizer: Tokenizer | str | None = None,
    ) -> "StreamedCorpus":
        """Remove pairs that are unsuitable for training, in each pass.

        Args:
            max_length, max_ratio, keep, source_tokenizer, target_tokenizer: As
                for `ParallelCorpus.filtered`. They replace those of an earlier
                call.
        """
        return dataclasses.replace(
            self,
            limits=filters.choose_limits(max_length, max_ratio, keep),
            measures=(
                source_tokenizer or self.source_tokenizer,
                target_tokenizer or self.target_tokenizer,
            ),
        )

    def split(
        self, *, validation: float = 0.01, test: float = 0.01
    ) -> CorpusSplits:
        """Split by a hash of the source, as `ParallelCorpus.split`.

        Returns:
            `CorpusSplits` of `StreamedCorpus`.
        """
        check_fractions(validation, test)
        parts = {
            name: dataclasses.replace(self, part=(name, validation, test))
            for name in SPLITS
        }
        return CorpusSplits(**parts)

    def begin_pass(self) -> filters.FilterPass:
        """Create the filters of a pass, which count what they remove."""
        return filters.FilterPass(self.limits or {}, self.measures or ())

    def unfiltered_pairs(self) -> Iterator[tuple[str, str]]:
        if self.part is None:
            return self.reader.read()
        name, *fractions = self.part
        return (
            pair
            for pair in self.reader.read()
            if split_of(pair[0], *fractions) == name
        )

    def pairs(self) -> Iterator[tuple[str, str]]:
        keeps = self.begin_pass().keeps
        return (pair for pair in self.unfiltered_pairs() if keeps(*pair))

    def in_memory(self) -> ParallelCorpus:
        """Read all pairs into a `ParallelCorpus`."""
        return ParallelCorpus.from_pairs(
            self.pairs(),
            source_tokenizer=self.source_tokenizer,
            target_tokenizer=self.target_tokenizer,
        )

    def __repr__(self) -> str:
        files = self.reader.files or ()
        part = "" if self.part is None else f", {self.part[0]}"
        kind = "" if self.limits is None else ", filtered"
        return f"StreamedCorpus({len(files)} files{part}{kind})"
