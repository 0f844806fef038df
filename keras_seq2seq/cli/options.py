"""Options that several commands share."""

import argparse

from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.data import cmudict
from keras_seq2seq.models.presets import settings_of

CORPUS_HELP = (
    "file with source<TAB>target on each line, or cmudict, the dictionary "
    "that comes with the package"
)


def at_least_one(text: str) -> int:
    """A positive integer, for argparse."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(
            f"expected an integer of at least 1, received {text!r}"
        )
    return int(text)


def positive(text: str) -> float:
    """A positive number, for argparse."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(
            f"expected a number above 0, received {text!r}"
        )
    return number


def seed(text: str) -> int:
    """A seed that NumPy takes, for argparse."""
    if not text.isascii() or not text.isdigit() or int(text) >= 2**32:
        raise argparse.ArgumentTypeError(
            f"expected an integer from 0 to {2**32 - 1}, received {text!r}"
        )
    return int(text)


def add_task(parser) -> None:
    parser.add_argument("task", metavar="TASK", help="folder of a saved task")


def read_corpus(name: str, split: str, **tokenizers) -> ParallelCorpus:
    """Corpus of a file, or one split of the dictionary of the package.

    Args:
        name: Path of a TSV file, or `"cmudict"`.
        split: `"train"`, `"validation"` or `"test"`, for the dictionary.
        **tokenizers: Names of tokenizers for a file.
    """
    if name == "cmudict":
        return getattr(cmudict(), split)
    return ParallelCorpus.from_tsv(name, **tokenizers)


def preset_settings(preset: str, *, units: int | None, **settings) -> dict:
    """Those of the settings that were given: a preset has its own for others.

    Args:
        preset: Name of a preset.
        units: Width of the layers; Transformers call it `hidden_dim`.
        **settings: By name, `None` where none was given.
    """
    width = "units" if "units" in settings_of(preset) else "hidden_dim"
    given = {width: units, **settings}
    return {name: x for name, x in given.items() if x is not None}
