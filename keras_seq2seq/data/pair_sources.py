"""The constructors that corpora share."""

import functools
import os
from collections.abc import Iterable
from collections.abc import Sequence

from keras_seq2seq.data import corpus_files
from keras_seq2seq.data import tfds_pairs
from keras_seq2seq.data.corpus_checks import check_pair
from keras_seq2seq.data.corpus_checks import check_pairs
from keras_seq2seq.data.pair_reader import PairReader

Paths = str | os.PathLike | Sequence[str | os.PathLike]


class PairSources:
    """Mixin with the constructors of a corpus.

    A subclass implements `from_reader(reader, **tokenizers)`.
    """

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[str, str]], **tokenizers: str):
        """Read an iterable of pairs of strings."""
        check_pairs(pairs)
        read = functools.partial(_checked, pairs)
        again = iter(pairs) is not pairs
        reader = PairReader(read, {}, starts_anew=again)
        return cls.from_reader(reader, **tokenizers)

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[dict],
        *,
        source: str = "source",
        target: str = "target",
        **tokenizers: str,
    ):
        """Read two fields of dicts, such as a Hugging Face `Dataset`.

        A field inside another one is named with a dot: `"translation.en"`.
        """
        check_pairs(rows)
        read = functools.partial(corpus_files.row_pairs, rows, source, target)
        again = iter(rows) is not rows
        reader = PairReader(read, {}, starts_anew=again)
        return cls.from_reader(reader, **tokenizers)

    @classmethod
    def from_files(cls, source: Paths, target: Paths, **tokenizers: str):
        """Read two files, or two lists of files, line by line.

        Line i of one belongs to line i of the other.
        """
        read = functools.partial(corpus_files.aligned_pairs, source, target)
        files = corpus_files.aligned_paths(source, target)
        files = tuple(path for pair in files for path in pair)
        return cls.from_reader(PairReader(read, {}, files), **tokenizers)

    @classmethod
    def from_tsv(cls, path: str | os.PathLike, **tokenizers: str):
        """Read a file with `source<TAB>target` on each line."""
        read = functools.partial(corpus_files.tsv_pairs, path)
        reader = PairReader(read, {"format": "tsv"}, (path,))
        return cls.from_reader(reader, **tokenizers)

    @classmethod
    def from_json_lines(
        cls,
        path: str | os.PathLike,
        *,
        source: str = "source",
        target: str = "target",
        **tokenizers: str,
    ):
        """Read two fields of the JSON object on each line of a file."""
        read = functools.partial(corpus_files.json_pairs, path, source, target)
        fields = {"format": "json", "source": source, "target": target}
        reader = PairReader(read, fields, (path,))
        return cls.from_reader(reader, **tokenizers)

    @classmethod
    def from_tfds(
        cls,
        name: str,
        *,
        split: str = "train",
        source: str,
        target: str,
        **tokenizers: str,
    ):
        """Read two features of a dataset of TensorFlow Datasets.

        Args:
            name: String. Name of a dataset, with its config
                (`"ted_hrlr_translate/pt_to_en"`); or path of a folder for
                `tfds.TranslateFolder`, with files such as `en.train.txt`.
            split: String. Defaults to `"train"`.
            source, target: Strings. Names of the features.
            **tokenizers: As in the constructor.
        """
        options = {"split": split, "source": source, "target": target}
        read = functools.partial(tfds_pairs.read_pairs, name, **options)
        files = tfds_pairs.folder_files(name, **options)
        reader = PairReader(read, {"format": "tfds", **options}, files)
        return cls.from_reader(reader, **tokenizers)


def _checked(pairs):
    for index, pair in enumerate(pairs):
        check_pair(index, pair)
        yield tuple(pair)
