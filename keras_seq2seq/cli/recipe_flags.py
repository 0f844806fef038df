"""Flags of the command line for the keys of a recipe."""

import argparse
import types
import typing

from keras_seq2seq.cli.options import at_least_one
from keras_seq2seq.cli.options import positive
from keras_seq2seq.cli.options import seed
from keras_seq2seq.cli.options import setting
from keras_seq2seq.cli.options import tokenizer
from keras_seq2seq.cli.recipe_keys import Recipe
from keras_seq2seq.models import PRESETS

TYPES = {int: int, float: float, str: str}
# What is checked, or named, more clearly than by its type.
OWN = {
    "seed": {"type": seed},
    "epochs": {"type": positive},
    "minutes": {"type": positive},
    "learning_rate": {"type": positive},
    "warmup_steps": {"type": int},
    "source_tokenizer": {"type": tokenizer},
    "target_tokenizer": {"type": tokenizer},
}


def add_flags(parser, *without) -> None:
    """Add a flag for each key; those that are not given stay unset."""
    for name, field in Recipe.model_fields.items():
        if name not in without:
            flag = f"--{name.replace('_', '-')}"
            parser.add_argument(flag, **_arguments(name, field))
    parser.add_argument(
        "--set",
        dest="settings",
        type=setting,
        action="append",
        default=argparse.SUPPRESS,
        metavar="NAME=VALUE",
        help="any other setting of the preset, such as cell=lstm, score=dot or "
        "input_feeding=false; may be repeated",
    )


def given_keys(options) -> dict:
    """Dict of the keys whose flags were given."""
    given = {**vars(options)}
    if given["corpus"] is None:
        del given["corpus"]
    keys = {name: given[name] for name in Recipe.model_fields if name in given}
    if "settings" in keys:
        keys["settings"] = dict(keys["settings"])
    return keys


def explain() -> str:
    """Describe every key: its name, its default and what it is for."""
    lines = []
    for name, field in Recipe.model_fields.items():
        default = "" if field.default is None else f" [{field.default}]"
        lines += [f"{name}{default}", f"    {field.description}"]
    return "\n".join(lines)


def _arguments(name, field):
    default = field.default
    text = field.description
    if default not in (None, {}) and not isinstance(default, list):
        shown = f"{default:g}" if isinstance(default, float) else default
        text = f"{text} (default: {shown})"
    settings = {"default": argparse.SUPPRESS, "help": text.replace("%", "%%")}
    kind = _plain(field.annotation)
    if kind is bool:
        return {**settings, "action": argparse.BooleanOptionalAction}
    if typing.get_origin(kind) is list:
        return {**settings, "nargs": "*", "metavar": name.upper()}
    own = OWN.get(name, {"type": at_least_one if kind is int else TYPES[kind]})
    if name == "preset":
        own = {"choices": sorted(PRESETS)}  # of the user too, by `--import`
    shown = {} if "choices" in own else {"metavar": _metavar(name, kind)}
    return {**settings, **shown, **own}


def _plain(annotation):
    """The type of a key, without `None` and constraints."""
    if isinstance(annotation, types.UnionType) or (
        typing.get_origin(annotation) is typing.Union
    ):
        annotation = typing.get_args(annotation)[0]  # `None` is last
    if typing.get_origin(annotation) is typing.Annotated:
        annotation = typing.get_args(annotation)[0]
    return annotation


def _metavar(name, kind):
    if kind is str:
        return "FOLDER" if "folder" in name or name == "out" else "NAME"
    return "N" if kind is int else "X"
