"""Runs the examples of the docstrings, of the README and of the pages."""

import doctest
import importlib
import pathlib
import pkgutil
import re
import shutil

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
import keras_seq2seq.testing

ROOT = pathlib.Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "saved_models" / "README.md",
    *sorted((ROOT / "examples").glob("*.md")),
]
SKIPPED = "<!-- no test -->"


def examples():
    finder = doctest.DocTestFinder()
    names = [
        module.name
        for module in pkgutil.walk_packages(k2s.__path__, "keras_seq2seq.")
        if not module.name.endswith("__main__")
    ]
    for name in names:
        try:
            module = importlib.import_module(name)
        except ImportError as error:
            if (error.name or "").split(".")[0] == "keras_seq2seq":
                raise
            continue  # an optional package is not installed
        for test in finder.find(module, name):
            if test.examples:
                yield pytest.param(test, id=test.name)


@pytest.mark.parametrize("test", list(examples()))
def test_docstring(test, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    test.globs.update(keras=keras, k2s=k2s, np=np)
    output = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    failed, _ = runner.run(test, out=output.append)
    assert not failed, "".join(output)


def blocks(page):
    """Python code of a page, without the blocks marked to be skipped."""
    fences = re.finditer(
        r"^```(\w*)\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL
    )
    return [
        fence[2]
        for fence in fences
        if fence[1] == "python"
        and not fence.string[: fence.start()].rstrip().endswith(SKIPPED)
    ]


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.exists() and blocks(page)],
    ids=lambda page: page.stem,
)
def test_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    task = pathlib.Path("saved_models", "g2p-task")  # what comes with them
    shutil.copytree(ROOT / task, task)
    namespace = {"__name__": page.stem}
    for number, block in enumerate(blocks(page)):
        name = f"{page.name}, block {number}"
        exec(compile(block, name, "exec"), namespace)
