"""Options that several commands share."""

import argparse
import json
import sys
from collections.abc import Iterator

from keras_seq2seq.models import PRESETS
from keras_seq2seq.models.presets import learning_rate_of
from keras_seq2seq.models.presets import settings_of
from keras_seq2seq.tasks.learn_tokenizer import learnable_tokenizers
from keras_seq2seq.utils.files import check_readable_file
from keras_seq2seq.utils.lines import text_lines

TOKENIZER_FILES = ".model", ".json"
TEXTS = "Texts, one per line,"
PRESET = "bahdanau_2015_small"


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

    A value that is JSON, such as `2`, `0.5`, `true` or `null`, is parsed. Any
    other is a string.
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
            f"expected a value that is less deeply nested for {name}"
        ) from None


def tokenizer(text: str) -> str:
    """Name or file of a tokenizer, for argparse."""
    known = sorted(learnable_tokenizers())
    if text not in known and not text.endswith(TOKENIZER_FILES):
        raise argparse.ArgumentTypeError(
            f"invalid choice: {text!r} (choose from {', '.join(known)}, or a "
            f"file ending with {' or '.join(TOKENIZER_FILES)})"
        )
    return text


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
        help=f"preset of the model; _small ones suit a CPU (default: {PRESET})",
    )


def add_learning_rate(parser, default: float) -> None:
    parser.add_argument(
        "--learning-rate",
        type=positive,
        help="initial learning rate of Adam (default: depends on the preset, "
        f"{default:g} for recurrent ones)",
    )


def learning_rate(options, default: float) -> float:
    """The learning rate in the options, or the default for the preset."""
    if options.learning_rate is not None:
        return options.learning_rate
    return learning_rate_of(options.preset, default)


def read_lines(path: str | None) -> list[str]:
    """Read the texts in a file, or in standard input for `None`."""
    if path is None:
        return _texts(standard_input().buffer, "standard input")
    with open(check_readable_file(path, "--file"), "rb") as file:
        return _texts(file, path)


def stream_lines(path: str | None) -> Iterator[tuple[int, str | None]]:
    """Number and text of each line, `None` for a line that is not UTF-8.

    Args:
        path: Path, or `None` for standard input.
    """
    if path is None:
        stream, name = standard_input(), "standard input"
        if stream.isatty():
            print("Enter texts, one per line, then Ctrl-D.", file=sys.stderr)
        yield from text_lines(stream.buffer, name, TEXTS, broken=True)
        return
    with open(check_readable_file(path, "--file"), "rb") as file:
        yield from text_lines(file, path, TEXTS, broken=True)


def _texts(file, name):
    return [text for _, text in text_lines(file, name, TEXTS)]


def standard_input():
    """Standard input, or an error if it is closed (`<&-`)."""
    if sys.stdin is None:
        raise OSError(
            "Standard input must be open if no texts are given. Received: a "
            "closed one. Give texts as arguments, or --file."
        )
    return sys.stdin


def utf8_text(argument: str) -> str:
    """A text, for argparse. Bytes that are not UTF-8 arrive as surrogates."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError(
            f"expected text in UTF-8, received {ascii(argument)}"
        ) from None
    return argument


def choose_settings(preset: str, *, units: int | None, **settings) -> dict:
    """Keep the settings that were given; the preset has defaults for others.

    Args:
        preset: Name of a preset.
        units: Width of the layers, `hidden_dim` in Transformers.
        **settings: Values by name, `None` if not given.
    """
    width = "units" if "units" in settings_of(preset, PRESETS) else "hidden_dim"
    given = {width: units, **settings}
    return {name: x for name, x in given.items() if x is not None}
