"""Source texts with reference texts."""

from collections.abc import Iterator
from collections.abc import Sequence

from keras_seq2seq.data import filters
from keras_seq2seq.data.corpus_checks import check_lengths
from keras_seq2seq.data.corpus_checks import check_row
from keras_seq2seq.data.corpus_splits import CorpusSplits
from keras_seq2seq.data.hash_split import SPLITS
from keras_seq2seq.data.hash_split import check_fractions
from keras_seq2seq.data.hash_split import split_of
from keras_seq2seq.data.pair_reader import PairReader
from keras_seq2seq.data.pair_sources import PairSources
from keras_seq2seq.text import Tokenizer


class ParallelCorpus(PairSources):
    """List of source texts, each with one or more reference texts.

    Training uses one pair for each reference (`pairs()`). Evaluation uses each
    source once, with all its references. An index returns
    `(source, references)`, a slice a `ParallelCorpus`.

    Texts may be empty: an empty target teaches a model to generate nothing.
    Leave out pairs in which one side is missing.

    - `from_pairs(pairs)` reads an iterable of pairs. Like all of these, it
      groups equal sources, in order of appearance.
    - `from_files(source, target)` reads two files with a text on each line, or
      two lists of such files; line i of one belongs to line i of the other.
    - `from_tsv(path)` reads a file with `source<TAB>target` on each line.
    - `from_json_lines(path, source="source", target="target")` reads a file
      with a JSON object on each line, and takes these two fields.
    - `from_rows(rows, source="source", target="target")` takes them from dicts,
      such as the rows of a Hugging Face `Dataset`.
    - `from_tfds(name, split="train", source=..., target=...)` reads a dataset
      of TensorFlow Datasets, or a folder for its `TranslateFolder`.
    - `filtered(...)` returns a corpus without unsuitable pairs, whose
      `left_out` counts them.
    - `split(...)` returns training, validation and test data.

    Files must be UTF-8, plain or gzipped, with at least one line. All texts are
    in memory; `StreamedCorpus` reads them anew when they are needed.

    Args:
        sources: List of strings.
        references: List of lists of strings, at least one for each source.
        source_tokenizer, target_tokenizer: Names of suitable tokenizers, which
            a task learns by default. Default to `"character"`.

    Example:

    >>> corpus = k2s.data.ParallelCorpus.from_pairs(
    ...     [("tomato", "T AH M EY T OW"), ("a", "AH"), ("a", "EY")]
    ... )
    >>> corpus
    ParallelCorpus(2 sources, 3 references)
    >>> corpus[1]
    ('a', ['AH', 'EY'])
    >>> list(corpus[1:].pairs())
    [('a', 'AH'), ('a', 'EY')]
    """

    def __init__(
        self,
        sources: Sequence[str],
        references: Sequence[Sequence[str]],
        *,
        source_tokenizer: str = "character",
        target_tokenizer: str = "character",
    ):
        check_lengths(sources, references)
        for index, (source, group) in enumerate(zip(sources, references)):
            check_row(index, source, group)
        self.sources = list(sources)
        self.references = [list(group) for group in references]
        self.source_tokenizer = source_tokenizer
        self.target_tokenizer = target_tokenizer
        self.left_out = {}

    @classmethod
    def from_reader(cls, reader: PairReader, **tokenizers: str):
        """Read all pairs, and group equal sources."""
        groups = {}
        for source, target in reader.read():
            groups.setdefault(source, []).append(target)
        return cls(list(groups), list(groups.values()), **tokenizers)

    def filtered(
        self,
        *,
        max_length: int | None = None,
        max_ratio: float | None = None,
        keep: Sequence[str] = (),
        source_tokenizer: Tokenizer | str | None = None,
        target_tokenizer: Tokenizer | str | None = None,
    ) -> "ParallelCorpus":
        """Remove pairs that are unsuitable for training.

        `left_out` of the returned corpus is a dict with the number of pairs
        removed by each filter, in earlier calls too. Its slices and splits keep
        these numbers. A pair counts for the first filter that applies:

        - `"empty"`: a text is empty or whitespace.
        - `"broken"`: a text has U+FFFD or a surrogate, from wrong decoding.
        - `"copy"`: source and target are equal.
        - `"long"`: a text is longer than `max_length`.
        - `"uneven"`: one text is more than `max_ratio` times as long as the
          other.
        - `"repeated"`: the pair occurred before.

        Lengths are counted in tokens with a `Tokenizer`, in characters with
        `"character"`, and in words separated by whitespace with other names.

        Args:
            max_length: Integer. Defaults to `None`, no limit.
            max_ratio: Number of at least 1. Defaults to `None`, no limit.
            keep: List of names of filters not to apply, such as `["copy"]`.
                Defaults to `()`.
            source_tokenizer, target_tokenizer: `Tokenizer` or name, for the
                lengths. Default to `None`, the tokenizers of the corpus.

        Returns:
            `ParallelCorpus`, in the same order.

        Example:

        >>> corpus = k2s.data.ParallelCorpus.from_pairs(
        ...     [("one", "eins"), ("one", "eins"), ("two", ""), ("ok", "ok")]
        ... )
        >>> few = corpus.filtered(max_length=80)
        >>> list(few.pairs())
        [('one', 'eins')]
        >>> few.left_out
        {'empty': 1, 'broken': 0, 'copy': 1, 'long': 0, 'repeated': 1}
        """
        limits = filters.choose_limits(max_length, max_ratio, keep)
        tokenizers = (
            source_tokenizer or self.source_tokenizer,
            target_tokenizer or self.target_tokenizer,
        )
        run = filters.FilterPass(limits, tokenizers)
        sources, references = [], []
        for source, group in self:
            kept = [target for target in group if run.keeps(source, target)]
            if kept:
                sources.append(source)
                references.append(kept)
        filters.check_left(len(sources), run.counts)
        corpus = self._like(sources, references)
        corpus.left_out = dict(run.counts)
        for name, count in self.left_out.items():
            corpus.left_out[name] = corpus.left_out.get(name, 0) + count
        return corpus

    def split(self, *, validation: float = 0.01, test: float = 0.01):
        """Split into training, validation and test data.

        The split of a source depends only on a hash of it, without whitespace
        at its beginning and end. So equal sources are never in two splits, the
        splits are the same on every machine and in any order of the corpus, and
        new sources do not move others. The test data do not depend on
        `validation`.

        Args:
            validation, test: Numbers in [0, 1), the expected fractions of the
                sources. Default to `0.01`.

        Returns:
            `CorpusSplits`, each in the order of the corpus. For a small corpus,
            a split may be empty.

        Example:

        >>> pairs = [(str(number), "a number") for number in range(1000)]
        >>> corpus = k2s.data.ParallelCorpus.from_pairs(pairs)
        >>> corpus.split(validation=0.05, test=0.1)
        CorpusSplits(train=856, validation=42, test=102 sources)
        """
        check_fractions(validation, test)
        parts = {name: ([], []) for name in SPLITS}
        for source, group in self:
            sources, references = parts[split_of(source, validation, test)]
            sources.append(source)
            references.append(group)
        return CorpusSplits(
            **{name: self._like(*rows) for name, rows in parts.items()}
        )

    def pairs(self) -> Iterator[tuple[str, str]]:
        for source, group in zip(self.sources, self.references):
            for reference in group:
                yield source, reference

    def __len__(self) -> int:
        return len(self.sources)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self._like(self.sources[index], self.references[index])
        return self.sources[index], self.references[index]

    def __iter__(self) -> Iterator[tuple[str, list[str]]]:
        return zip(self.sources, self.references)

    def __repr__(self) -> str:
        count = sum(map(len, self.references))
        return f"ParallelCorpus({len(self)} sources, {count} references)"

    def _like(self, sources, references):
        """Create a corpus of other rows, from the same filters."""
        corpus = ParallelCorpus(
            sources,
            references,
            source_tokenizer=self.source_tokenizer,
            target_tokenizer=self.target_tokenizer,
        )
        corpus.left_out = dict(self.left_out)
        return corpus
