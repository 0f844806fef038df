"""Options that several commands share."""

import argparse
import json
import os
import sys

from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.data import cmudict
from keras_seq2seq.models import PRESETS
from keras_seq2seq.models.presets import learning_rate_of
from keras_seq2seq.models.presets import settings_of
from keras_seq2seq.utils.lines import text_lines

PRESET = "bahdanau_2015_small"
CORPUS_HELP = (
    "file with source<TAB>target on each line, or cmudict, the dictionary "
    "that comes with the package"
)


def at_least_one(text: str) -> int:
    """A positive integer, for argparse."""
    return _integer(text, 1, float("inf"), "of at least 1")


def seed(text: str) -> int:
    """A seed that NumPy takes, for argparse."""
    most = 2**32 - 1
    return _integer(text, 0, most, f"from 0 to {most}")


def _integer(text, least, most, expected):
    is_integer = text.isascii() and text.isdigit()
    if not is_integer or not least <= int(text) <= most:
        raise argparse.ArgumentTypeError(
            f"expected an integer {expected}, received {text!r}"
        )
    return int(text)


def setting(text: str) -> tuple[str, object]:
    """Name and value of `NAME=VALUE`, for argparse.

    A value is read as JSON (`2`, `0.5`, `true`, `null`) where it is that, and
    is a string otherwise.
    """
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise argparse.ArgumentTypeError(
            f"expected NAME=VALUE, received {text!r}"
        )
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
    except RecursionError:
        raise argparse.ArgumentTypeError(
            f"expected a value that is not nested so deep for {name}"
        ) from None


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


def add_task(parser) -> None:
    parser.add_argument("task", metavar="TASK", help="folder of a saved task")


def add_preset(parser) -> None:
    parser.add_argument(
        "--preset",
        choices=sorted(PRESETS),
        default=PRESET,
        help=f"of the zoo; _small for two CPU cores (default: {PRESET})",
    )


def add_learning_rate(parser, default: float) -> None:
    parser.add_argument(
        "--learning-rate",
        type=positive,
        help="peak, of Adam (default: what suits the preset, "
        f"{default:g} for recurrent ones)",
    )


def learning_rate(options, default: float) -> float:
    """The peak that was asked for, or the one that suits the preset."""
    if options.learning_rate is not None:
        return options.learning_rate
    return learning_rate_of(options.preset, default)


def read_corpus(name: str, split: str, **tokenizers) -> ParallelCorpus:
    """Corpus of a file, or one split of the dictionary of the package.

    Args:
        name: Path of a TSV file, or `"cmudict"`.
        split: `"train"`, `"validation"` or `"test"`, for the dictionary.
        **tokenizers: Names of tokenizers for a file.
    """
    if name == "cmudict":
        return getattr(cmudict(), split)
    if not os.path.isfile(name):
        raise ValueError(
            "Pairs come from a file with source<TAB>target on each line, or "
            f"from cmudict. Received: {name}, which is no file."
        )
    return ParallelCorpus.from_tsv(name, **tokenizers)


def read_lines(path: str | None) -> list[str]:
    """The texts of a file, one a line; of standard input for `None`."""
    if path is None:
        return _texts(standard_input().buffer, "standard input")
    with open(path, "rb") as file:
        return _texts(file, path)


def _texts(file, name):
    return [text for _, text in text_lines(file, name, "Texts, one a line,")]


def standard_input():
    """Standard input, or an error where there is none (`<&-`)."""
    if sys.stdin is None:
        raise OSError(
            "Standard input must be open where no texts are given. Received: "
            "one that is closed. Give texts as arguments, or --file."
        )
    return sys.stdin


def utf8_text(argument: str) -> str:
    """A text in UTF-8, for argparse: Python hides other bytes in surrogates."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError(
            f"expected text in UTF-8, received {ascii(argument)}"
        ) from None
    return argument


def preset_settings(preset: str, *, units: int | None, **settings) -> dict:
    """Those of the settings that were given: a preset has its own for others.

    Args:
        preset: Name of a preset.
        units: Width of the layers; Transformers call it `hidden_dim`.
        **settings: By name, `None` where none was given.
    """
    width = "units" if "units" in settings_of(preset, PRESETS) else "hidden_dim"
    given = {width: units, **settings}
    return {name: x for name, x in given.items() if x is not None}
