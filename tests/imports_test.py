"""Who imports whom, what is exported, and what a bare import needs."""

import ast
import importlib
import inspect
import os
import pathlib
import re
import subprocess
import sys

import keras
import pytest

import keras_seq2seq

ROOT = pathlib.Path(keras_seq2seq.__file__).parent
FLOORS = {
    "version": 0,
    "utils": 0,
    "ops": 1,
    "layers": 2,
    "search": 2,
    "sources": 2,
    "text": 2,
    "losses": 2,
    "metrics": 2,
    "data": 3,
    "models": 3,
    "tasks": 4,
    "testing": 4,
    "export": 5,
    "plots": 5,
    "cli": 6,
}
ALONE = {"testing"}  # for tests: the package itself imports none of it
FILES = sorted(ROOT.rglob("*.py"))
# Backends by name: where, and whether only inside functions.
BACKENDS = {"tensorflow", "jax", "torch"}
ANYWHERE = {("export", "tensorflow")}
# In `cli`, to show that an export needs nothing but TensorFlow; in `ops`, for
# what Keras does with an op of XLA; in `models`, at the one place that decides
# how a model is compiled, for a `jit` that gives no memory away.
LAZILY = {
    ("ops", "tensorflow"),
    ("text", "tensorflow"),
    ("data", "tensorflow"),
    ("cli", "tensorflow"),
    ("models", "jax"),
}
EXPORTS = [
    "layers",
    "losses",
    "search",
    "sources",
    "models",
    "text",
    "data",
    "tasks",
    "metrics",
]


def imports(tree):
    """Pairs of a module's name and whether a function imports it."""
    lazy = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.Lambda))
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, id(node) in lazy
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            for alias in node.names:
                yield f"{node.module}.{alias.name}", id(node) in lazy


def named(tree):
    """Modules of the package that a string names, such as one to be run."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = re.fullmatch(r"keras_seq2seq\.(\w+)(\.\w+)*", node.value)
            if found and found[1] in FLOORS:
                yield node.value


def folder_of(path):
    return path.relative_to(ROOT).with_suffix("").parts[0]


def names(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", FILES, ids=names)
def test_floors(path):
    folder = folder_of(path)
    if folder in ("__init__", "__main__"):
        return
    tree = ast.parse(path.read_text())
    for module in [*named(tree), *(name for name, _ in imports(tree))]:
        parts = module.split(".")
        if parts[0] != "keras_seq2seq":
            continue
        other = parts[1]
        below = FLOORS[other] < FLOORS[folder] and other not in ALONE
        assert other == folder or below, f"{folder} must not import {module}"


@pytest.mark.parametrize("path", FILES, ids=names)
def test_backends_are_not_imported_by_name(path):
    folder = folder_of(path)
    for module, lazy in imports(ast.parse(path.read_text())):
        backend = module.split(".")[0]
        if backend not in BACKENDS or (folder, backend) in ANYWHERE:
            continue
        assert lazy and (folder, backend) in LAZILY, (
            f"{folder} must not import {module} here"
        )


def exported():
    for folder in EXPORTS:
        module = importlib.import_module(f"keras_seq2seq.{folder}")
        for name, value in vars(module).items():
            if inspect.isclass(value):
                yield pytest.param(name, value, id=f"{folder}.{name}")


@pytest.mark.parametrize("name, cls", list(exported()))
def test_exported_classes(name, cls):
    assert cls.__name__ == name
    module = cls.__module__.split(".")
    file = module[-1].replace("_", "")
    assert file == name.lower(), "a class has a file of its name"
    abstract = inspect.getdoc(cls).startswith("Abstract")
    if hasattr(cls, "get_config") and not abstract:
        registered = keras.saving.get_registered_name(cls)
        assert registered == f"keras_seq2seq>{name}"
    public = [
        other
        for other, value in vars(sys.modules[cls.__module__]).items()
        if inspect.isclass(value)
        and value.__module__ == cls.__module__
        and not other.startswith("_")
    ]
    assert public == [name], "one exported class a file"


@pytest.mark.skipif(
    keras.backend.backend() == "tensorflow", reason="each backend has its turn"
)
def test_import_without_tensorflow():
    code = (
        "import sys\n"
        "sys.modules['tensorflow'] = None\n"
        "import keras\n"
        "before = set(sys.modules)\n"
        "import keras_seq2seq\n"
        "after = set(sys.modules) - before\n"
        "cell = keras_seq2seq.layers.LuongCell(keras.layers.GRUCell(2))\n"
        "keras.saving.serialize_keras_object(cell)\n"
        "heavy = {'matplotlib', 'jiwer', 'sacrebleu', 'sentencepiece', "
        "'rouge_score', 'nltk', 'tokenizers', 'pytest'} & after\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        env={
            **os.environ,
            "KERAS_BACKEND": keras.backend.backend(),
            "PYTHONPATH": str(ROOT.parent),
        },
    )
