"""Reads the file of a recipe, strictly."""

import re

import yaml

from keras_seq2seq.utils.files import check_regular_file
from keras_seq2seq.utils.files import read_text

MOST = 2**20  # bytes of a recipe
LISTS = "source", "target", "validation_source", "validation_target"
EXPONENT = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+\Z")


def read_recipe(path) -> dict:
    """Read the keys of a recipe, a file of YAML."""
    path = check_regular_file(path, "recipe")
    try:
        keys = yaml.load(read_text(path, MOST), _Loader)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        place = getattr(error, "problem_mark", None)
        line = f", line {place.line + 1}" if place else ""
        raise ValueError(
            "A recipe must be YAML in UTF-8, `key: value` on each line. "
            f"Received: {path}{line}: {_problem(error)}."
        ) from error
    if not isinstance(keys, dict):
        kind = "empty" if keys is None else f"of type {type(keys).__name__}"
        raise ValueError(
            "A recipe must have `key: value` on each line. Received: "
            f"{path}, which is {kind}. `keras-seq2seq recipe` explains the "
            "keys."
        )
    for name in LISTS:
        if isinstance(keys.get(name), str):
            keys[name] = [keys[name]]
    return keys


class _Loader(yaml.SafeLoader):
    """Plain values only; `1e-3` is a number, as in JSON and newer YAML."""

    def compose_node(self, parent, index):
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark
            problem = "an alias, write the value itself"
            raise yaml.composer.ComposerError(None, None, problem, mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node, deep=False):
        seen = set()
        keys = [key for key, _ in node.value]
        for key in filter(lambda key: isinstance(key, yaml.ScalarNode), keys):
            if key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, "a key that is there twice", key.start_mark
                )
            seen.add(key.value)
        return super().construct_mapping(node, deep)


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", EXPONENT, list("-+.0123456789")
)


def _problem(error):
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 at byte {error.start}"
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return getattr(error, "problem", None) or "not YAML"
