"""Each example runs, for one small step."""

import importlib.util
import pathlib

import pytest

pytest.importorskip("matplotlib")

FOLDER = pathlib.Path(__file__).parents[2] / "examples"


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_reverse(tmp_path):
    picture = tmp_path / "reverse.png"
    right = load("reverse").main(
        count=8,
        longest=3,
        units=4,
        embedding_dim=4,
        batch_size=8,
        epochs=1,
        picture=str(picture),
    )
    assert 0 <= right <= 1
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_pronounce(tmp_path):
    answers = load("pronounce").main(
        words=16,
        judged=8,
        units=4,
        embedding_dim=4,
        epochs=1,
        folder=tmp_path / "task",
    )
    assert len(answers) == 1 and isinstance(answers[0], str)


def test_each_example_is_named_in_the_readme():
    readme = (FOLDER / "README.md").read_text()
    for path in FOLDER.glob("*.py"):
        assert f"`{path.name}`" in readme
