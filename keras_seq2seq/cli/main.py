"""Entry point of the command line."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

import keras

from keras_seq2seq.cli import backend
from keras_seq2seq.cli import call
from keras_seq2seq.cli import command_line
from keras_seq2seq.cli import demo
from keras_seq2seq.cli import evaluate
from keras_seq2seq.cli import export
from keras_seq2seq.cli import generate
from keras_seq2seq.cli import inspection
from keras_seq2seq.cli import messages
from keras_seq2seq.cli import plot
from keras_seq2seq.cli import recipe
from keras_seq2seq.cli import score
from keras_seq2seq.cli import tokenizer
from keras_seq2seq.cli import train
from keras_seq2seq.version import __version__

COMMANDS = {
    "tokenizer": tokenizer,
    "train": train,
    "recipe": recipe,
    "generate": generate,
    "evaluate": evaluate,
    "score": score,
    "plot": plot,
    "export": export,
    "inspect": inspection,
    "call": call,
    "demo": demo,
}
USER_ERRORS = (ValueError, TypeError, OSError, ImportError, RuntimeError)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit with its status.

    Args:
        arguments: List of strings. Defaults to `None`: those of the process,
            which may then be restarted under another backend.
    """
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit status."""
    before, _ = _before_all().parse_known_args(arguments)
    for name, value in backend.QUIET.items():
        os.environ.setdefault(name, value)
    given = sys.argv[1:] if arguments is None else arguments
    flags = {}  # of a command that is not known yet
    try:
        with (
            messages.warnings_in_one_line(flags),
            command_line.running(given),
        ):
            messages.check_streams()
            _choose_backend(before.backend, may_restart=arguments is None)
            _import(before.modules)
            options = parser().parse_args(arguments)
            flags.update(options.flags)
            options.run(options)
            sys.stdout.flush()
    except KeyboardInterrupt:
        print("keras-seq2seq: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of the output has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except USER_ERRORS as error:
        if before.debug:
            messages.say_traceback()
        messages.say("error", error, flags)
        return 2
    return 0


def _before_all():
    """Parser of the options that are needed to make the other parsers.

    A module of `--import` may register searches, penalties, tokenizers and
    more. Errors are left to the other parsers.
    """
    early = argparse.ArgumentParser(add_help=False)
    early.add_argument("--backend", nargs="?")
    early.add_argument(
        "--import", dest="modules", action="append", nargs="?", default=[]
    )
    early.add_argument("--debug", action="store_true")
    return early


def parser() -> argparse.ArgumentParser:
    """Parser of all commands."""
    top = argparse.ArgumentParser(
        prog="keras-seq2seq",
        description="Train, evaluate, plot, export and run "
        "sequence-to-sequence models.",
    )
    top.add_argument(
        "--version", action="version", version=f"keras-seq2seq {__version__}"
    )
    commands = top.add_subparsers(
        required=True, metavar="COMMAND", parser_class=_CommandParser
    )
    for name, module in COMMANDS.items():
        description = module.__doc__.strip()
        command = commands.add_parser(
            name,
            help=description.splitlines()[0],
            description=description,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_options(command)
        command.add_argument(
            "--backend",
            choices=backend.PACKAGES,
            help="default: the backend that Keras is set to",
        )
        command.add_argument(
            "--import",
            dest="modules",
            action="append",
            default=[],
            metavar="MODULE",
            help="module, in the current folder or installed, that registers "
            "classes of a saved task, or classes named in options",
        )
        command.add_argument(
            "--debug", action="store_true", help="show the traceback of errors"
        )
        command.set_defaults(run=module.run, flags=_flags(command))
    return top


class _CommandParser(argparse.ArgumentParser):
    """Parser that takes `TASK --output FILE TEXT` too: options anywhere."""

    _is_mixing = False

    def parse_known_args(self, args=None, namespace=None):
        if self._is_mixing:
            return super().parse_known_args(args, namespace)
        self._is_mixing = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_mixing = False


def _flags(command):
    """Dict of name -> option of a command: `num_beams` -> `--num-beams`."""
    return {
        action.dest: next(
            (x for x in action.option_strings if x.startswith("--")),
            action.option_strings[0],
        )
        for action in command._actions
        if action.option_strings
    }


def _choose_backend(wanted, *, may_restart):
    """Restart this process if Keras uses another backend."""
    if wanted not in backend.PACKAGES:  # or refused later
        return
    environment = backend.restart_environment(
        wanted, keras.backend.backend(), dict(os.environ)
    )
    if environment is None:
        return
    backend.check_installed(wanted)
    if not may_restart:
        raise ValueError(
            "`--backend` must be the one that Keras uses when a command is "
            f"run from Python. Received: --backend {wanted}. Set KERAS_BACKEND "
            "before Keras is imported."
        )
    sys.stdout.flush()
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)


def _import(modules):
    """Import the modules that register classes of the user."""
    if modules:
        sys.path.insert(0, os.getcwd())
    for name in filter(None, modules):
        try:
            importlib.import_module(name)
        except Exception as error:
            kind = type(error).__name__
            raise ImportError(
                "`--import` must name a module that can be imported. Received: "
                f"--import {name}, where this fails ({kind}: {error})."
            ) from error
