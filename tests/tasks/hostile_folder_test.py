"""Folders that somebody else wrote: no wait, no memory, and words."""

import hashlib
import json
import os

import h5py
import keras
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.tasks import description as descriptions
from keras_seq2seq.tasks.description import DESCRIPTION
from keras_seq2seq.tasks.description import WEIGHTS
from keras_seq2seq.tasks.weights_file import limit_size
from keras_seq2seq.utils.unfinished import MARKER

pytestmark = pytest.mark.eager


@pytest.fixture
def folder(tmp_path):
    task = k2s.tasks.TextToText.from_corpus(
        [("ab", "A B")], "bahdanau_2015", units=3, embedding_dim=2
    )
    task.save(tmp_path / "task")
    return tmp_path / "task"


def other_file(kind, path):
    content = path.read_bytes()
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    elif kind == "large":
        path.write_bytes(content)
        os.truncate(path, 2**40)  # takes no room on the disk
    elif kind == "link":
        path.with_name(f"its_{path.name}").write_bytes(content)
        path.symlink_to(f"its_{path.name}")


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
@pytest.mark.parametrize("name", [DESCRIPTION, WEIGHTS])
def test_files_that_are_none(folder, kind, name):
    other_file(kind, folder / name)
    with pytest.raises(ValueError, match="`folder` must|is missing"):
        k2s.tasks.load(folder)


def test_a_description_that_is_too_large(folder):
    other_file("large", folder / DESCRIPTION)
    with pytest.raises(ValueError, match="more than 268,435,456"):
        k2s.tasks.load(folder)


def test_links_to_files(folder):
    for name in (DESCRIPTION, WEIGHTS):
        other_file("link", folder / name)
        assert k2s.tasks.load(folder).generate(["ab"])


def changed(config, name, value):
    """A nested config with another value wherever a name occurs."""
    if isinstance(config, dict):
        return {
            n: value if n == name else changed(x, name, value)
            for n, x in config.items()
        }
    if isinstance(config, list):
        return [changed(x, name, value) for x in config]
    return config


def change(folder, name, value):
    path = folder / DESCRIPTION
    description = json.loads(path.read_text())
    model = changed(description["model"], name, value)
    assert model != description["model"]
    path.write_text(json.dumps({**description, "model": model}))


@pytest.mark.parametrize("size", [10**6, 10**9, 10**30])
@pytest.mark.parametrize(
    "name", ["units", "embedding_dim", "source_vocabulary_size"]
)
def test_sizes_that_the_weights_do_not_have(folder, name, size):
    change(folder, name, size)
    with pytest.raises(ValueError, match="not be larger|at most"):
        k2s.tasks.load(folder)


def test_a_nest_of_dicts(folder):
    nest = {}
    for _ in range(900):
        nest = {"config": nest}
    change(folder, "embedding_dim", nest)
    with pytest.raises(ValueError, match="nested at most 100 levels deep"):
        k2s.tasks.load(folder)


def test_weights_that_say_more_than_they_hold(folder):
    with h5py.File(folder / WEIGHTS, "a") as file:
        file.create_dataset("much", (10**9, 10**9), "f4", chunks=(1, 1000))
    digest = hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest()
    path = folder / DESCRIPTION
    description = json.loads(path.read_text())
    description["sha256"] = {WEIGHTS: digest}
    path.write_text(json.dumps(description))
    with pytest.raises(ValueError, match="declares more values than it holds"):
        k2s.tasks.load(folder)


def test_the_limit_ends_with_the_block():
    add_weight = keras.layers.Layer.add_weight
    with limit_size(1000):
        keras.layers.Dense(3).build((None, 2))
        with pytest.raises(ValueError, match=r"1,000 values.*\(2, 1000000\)"):
            keras.layers.Dense(10**6).build((None, 2))
    assert keras.layers.Layer.add_weight is add_weight
    keras.layers.Dense(10**6).build((None, 2))


def test_a_save_that_was_killed_while_it_replaced(folder):
    hidden = folder.with_name(".task.abcdefgh.part")
    hidden.mkdir()
    (hidden / MARKER).touch()
    folder.rename(hidden / "old")
    k2s.tasks.load(folder).save(folder.with_name("next"))  # which tidies up
    assert sorted(os.listdir(folder.parent)) == ["next", "task"]


def test_a_load_removes_nothing(tmp_path):
    for name, files in (("photos", ["a.jpg"]), ("other", [MARKER])):
        (tmp_path / f".{name}.20240101.part").mkdir()
        for file in files:
            (tmp_path / f".{name}.20240101.part" / file).touch()
    before = {*tmp_path.rglob("*")}
    with pytest.raises(ValueError, match="must hold a saved task"):
        k2s.tasks.load(tmp_path / "missing")
    assert {*tmp_path.rglob("*")} == before


@pytest.mark.parametrize("name", ["/dev/zero", "../other", "other.h5"])
def test_hashes_of_other_files_are_not_looked_at(folder, name, monkeypatch):
    monkeypatch.setattr(descriptions, "sha256", None)
    path = folder / DESCRIPTION
    description = json.loads(path.read_text())
    description["sha256"] = {name: "0", **description["sha256"]}
    path.write_text(json.dumps(description))
    with pytest.raises(ValueError, match=f"must name.*no other.*{name}"):
        k2s.tasks.load(folder)


@pytest.mark.parametrize("content", ["weights", "nothing"])
def test_weights_with_a_sparse_tail(folder, content, monkeypatch):
    monkeypatch.setattr(descriptions, "sha256", None)  # takes an hour
    if content == "nothing":
        (folder / WEIGHTS).write_bytes(b"")
    os.truncate(folder / WEIGHTS, 2**40)
    with pytest.raises(ValueError, match=f"{WEIGHTS} is damaged"):
        k2s.tasks.load(folder)
