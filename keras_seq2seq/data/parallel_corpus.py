"""Source texts with reference texts."""

import os
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence

from keras_seq2seq.utils.lines import text_lines


class ParallelCorpus:
    """List of source texts, each with one or more reference texts.

    Training uses one pair for each reference (`pairs()`). Evaluation uses each
    source once, with all its references. An index returns
    `(source, references)`, a slice a `ParallelCorpus`.

    Texts may be empty: an empty target teaches a model to generate nothing.
    Leave out pairs in which one side is missing.

    - `from_pairs(pairs)` groups equal sources, in order of appearance.
    - `from_tsv(path)` reads a UTF-8 file with `source<TAB>target` on each line
      through `from_pairs`.

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
        _check_lengths(sources, references)
        for index, (source, group) in enumerate(zip(sources, references)):
            _check_row(index, source, group)
        self.sources = list(sources)
        self.references = [list(group) for group in references]
        self.source_tokenizer = source_tokenizer
        self.target_tokenizer = target_tokenizer

    @classmethod
    def from_pairs(
        cls, pairs: Iterable[tuple[str, str]], **tokenizers: str
    ) -> "ParallelCorpus":
        groups = {}
        for index, pair in enumerate(pairs):
            _check_pair(index, pair)
            source, target = pair
            groups.setdefault(source, []).append(target)
        return cls(list(groups), list(groups.values()), **tokenizers)

    @classmethod
    def from_tsv(
        cls, path: str | os.PathLike, **tokenizers: str
    ) -> "ParallelCorpus":
        with open(path, "rb") as file:
            pairs = (
                _parse_line(text, path, number)
                for number, text in text_lines(file, os.fspath(path), "`path`")
            )
            return cls.from_pairs(pairs, **tokenizers)

    def pairs(self) -> Iterator[tuple[str, str]]:
        for source, group in zip(self.sources, self.references):
            for reference in group:
                yield source, reference

    def __len__(self) -> int:
        return len(self.sources)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return ParallelCorpus(
                self.sources[index],
                self.references[index],
                source_tokenizer=self.source_tokenizer,
                target_tokenizer=self.target_tokenizer,
            )
        return self.sources[index], self.references[index]

    def __iter__(self) -> Iterator[tuple[str, list[str]]]:
        return zip(self.sources, self.references)

    def __repr__(self) -> str:
        count = sum(map(len, self.references))
        return f"ParallelCorpus({len(self)} sources, {count} references)"


def _check_lengths(sources, references):
    for name, value in (("sources", sources), ("references", references)):
        if isinstance(value, str) or not hasattr(value, "__len__"):
            raise ValueError(
                f"`{name}` must be a list. "
                f"Received: {name} of type {type(value).__name__}. "
                "Make it a list, or use `ParallelCorpus.from_pairs`."
            )
    if len(sources) != len(references):
        raise ValueError(
            "`references` must hold one list of texts for each source. "
            f"Received: len(sources)={len(sources)}, "
            f"len(references)={len(references)}. For a list of pairs, use "
            "`ParallelCorpus.from_pairs`."
        )


def _check_row(index, source, group):
    if not isinstance(source, str):
        raise ValueError(
            "`sources` must hold strings. "
            f"Received: sources[{index}] of type {type(source).__name__}. "
            "Turn it into text, or leave the row out."
        )
    if isinstance(group, str) or not hasattr(group, "__len__"):
        raise ValueError(
            "`references` must hold a list of texts for each source. "
            f"Received: references[{index}] of type {type(group).__name__}. "
            "Wrap a single text in a list."
        )
    if not len(group):
        raise ValueError(
            "`references` must hold at least one text for each source. "
            f"Received: len(references[{index}])=0. Leave the source out."
        )
    for text in group:
        if not isinstance(text, str):
            raise ValueError(
                "`references` must hold lists of strings. Received: a text in "
                f"references[{index}] of type {type(text).__name__}. "
                "Turn it into text, or leave it out."
            )


def _check_pair(index, pair):
    if (
        not isinstance(pair, (tuple, list))
        or len(pair) != 2
        or not all(isinstance(text, str) for text in pair)
    ):
        raise ValueError(
            "`pairs` must hold (source, target) tuples of two strings. "
            f"Received: pairs[{index}], {_describe(pair)}. For several "
            "targets, pass one pair each."
        )


def _describe(pair):
    """Describe the types of a pair, for an error message."""
    kind = type(pair).__name__
    if not isinstance(pair, (tuple, list)):
        return f"of type {kind}"
    return f"a {kind} of {[type(part).__name__ for part in pair]}"


def _parse_line(text, path, number):
    columns = text.split("\t")
    if len(columns) != 2:
        raise ValueError(
            "`path` must hold `source<TAB>target` on each line. Received: "
            f"{path}, line {number}, with {len(columns) - 1} tabs. Put one tab "
            "between source and target, and remove blank lines and further "
            "columns (`cut -f1,2`)."
        )
    return tuple(columns)
