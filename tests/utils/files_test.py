"""Folders whose writer is killed, at each point where it matters."""

import fcntl
import os
import pathlib
import signal
import subprocess
import sys

import pytest

from keras_seq2seq.utils import files
from keras_seq2seq.utils import unfinished

POINTS = ("written", "replaced", "between")
WRITERS = """
import os, pathlib, shutil, signal, sys, types
parent, package, can_exchange, *points = sys.argv[1:]
alone = sys.modules["keras_seq2seq"] = types.ModuleType("keras_seq2seq")
alone.__path__ = [package]  # without the time that Keras takes
from keras_seq2seq.utils import files

def die(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)

def second_rename(old, new, rename=os.rename):
    if pathlib.Path(old).name == "new":
        die()
    rename(old, new)

def write(path, point):
    with files.atomic_folder(path, replace=True) as new:
        (new / "content").write_text("new")
        if point == "written":
            die()
        if point == "between":
            os.rename = second_rename
        if point == "replaced":
            shutil.rmtree = die

if can_exchange == "no":
    files.exchange = lambda *_: False
for point in points:
    child = os.fork()
    if child == 0:
        write(pathlib.Path(parent, point), point)
        os._exit(0)
    print(point, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """Folder in which writers died, by whether two folders can be swapped."""
    parents = {}
    for can_exchange in ("yes", "no"):
        parents[can_exchange] = tmp_path_factory.mktemp(can_exchange)
        for point in POINTS:
            (parents[can_exchange] / point).mkdir()
            (parents[can_exchange] / point / "content").write_text("old")
        points = [p for p in POINTS if (p, can_exchange) != ("between", "yes")]
        done = subprocess.run(
            [sys.executable, "-c", WRITERS, parents[can_exchange]]
            + [pathlib.Path(files.__file__).parents[1], can_exchange, *points],
            capture_output=True,
            text=True,
        )
        dead = [f"{point} {-signal.SIGKILL}" for point in points]
        assert done.stdout.splitlines() == dead, done.stderr
    return parents


@pytest.mark.parametrize("can_exchange", ["yes", "no"])
def test_what_killed_writers_leave(killed, can_exchange):
    parent = killed[can_exchange]
    left = {*POINTS}
    if can_exchange == "no":
        assert not (parent / "between").exists()
    assert {*os.listdir(parent)} != left
    unfinished.tidy(parent)
    assert {*os.listdir(parent)} == left
    contents = {n: (parent / n / "content").read_text() for n in left}
    assert contents == {"written": "old", "between": "old", "replaced": "new"}


def test_a_living_writer_is_left_alone(tmp_path):
    with files.atomic_folder(tmp_path / "one") as new:
        (new / "content").write_text("one")
        with files.atomic_folder(tmp_path / "two"):
            pass
        unfinished.tidy(tmp_path)
    assert sorted(os.listdir(tmp_path)) == ["one", "two"]
    assert (tmp_path / "one" / "content").read_text() == "one"


def test_what_others_call_their_own_is_left_alone(tmp_path):
    names = {".task.part", ".task.backup_1", "task.abcdefgh.part", ".hidden"}
    for name in names:
        (tmp_path / name).mkdir()
    unfinished.tidy(tmp_path)
    assert {*os.listdir(tmp_path)} == names


def no_locks(*args):
    raise OSError("no locks here")


@pytest.mark.parametrize("name", ["flock", None])
def test_a_file_system_without_locks(tmp_path, monkeypatch, name):
    if name is None:
        monkeypatch.setattr(unfinished, "fcntl", None)
    else:
        monkeypatch.setattr(fcntl, name, no_locks)
    (tmp_path / ".task.abcdefgh.part").mkdir()
    with files.atomic_folder(tmp_path / "one"):
        pass
    assert sorted(os.listdir(tmp_path)) == [".task.abcdefgh.part", "one"]


def test_tidied_up_before_it_was_held(tmp_path, monkeypatch):
    """Another process may find a new folder before its writer holds it."""
    hold, found = unfinished._lock, []

    def late(folder):
        found.append(folder)
        if len(found) == 1:
            unfinished.tidy(tmp_path)
        return hold(folder)

    monkeypatch.setattr(unfinished, "_lock", late)
    with files.atomic_folder(tmp_path / "one"):
        pass
    assert len(found) == 1 and os.listdir(tmp_path) == ["one"]


def left_behind(parent, name, *folders):
    """A marked hidden folder that nobody holds."""
    work = parent / name
    for folder in folders:
        (work / folder).mkdir(parents=True)
        (work / folder / "content").write_text(folder)
    (work / unfinished.MARKER).touch()
    return work


def test_what_is_named_like_ours_is_left_alone(tmp_path):
    """Folders, a pipe and a link of others; and no wait."""
    (tmp_path / ".photos.20240101.part" / "new").mkdir(parents=True)
    (tmp_path / ".empty.20240101.part").mkdir()
    os.mkfifo(tmp_path / ".pipe.20240101.part")
    (tmp_path / "elsewhere").mkdir()
    ours = left_behind(tmp_path / "elsewhere", ".a.abcdefgh.part", "new")
    (tmp_path / ".link.20240101.part").symlink_to(ours)
    before = {*tmp_path.rglob("*")}
    unfinished.tidy(tmp_path)
    with files.atomic_folder(tmp_path / "one"):
        pass
    assert {*tmp_path.rglob("*")} == before | {tmp_path / "one"}
    for name in (".pipe.20240101.part", ".link.20240101.part"):
        with pytest.raises(OSError):
            unfinished._lock(tmp_path / name)


def test_what_others_put_into_ours_is_left_alone(tmp_path):
    work = left_behind(tmp_path, ".task.abcdefgh.part", "new", "old")
    (work / "mine").write_text("mine")
    unfinished.tidy(tmp_path)
    assert (tmp_path / "task" / "content").read_text() == "old"
    assert os.listdir(work) == ["mine"]


def test_putting_back_removes_nothing(tmp_path):
    for name in ("one", "other"):
        left_behind(tmp_path, f".{name}.abcdefgh.part", "new", "old")
    before = {*tmp_path.rglob("*")}
    unfinished.put_back(tmp_path / "none")
    assert {*tmp_path.rglob("*")} == before
    unfinished.put_back(tmp_path / "one")
    assert (tmp_path / "one" / "content").read_text() == "old"
    assert (tmp_path / ".one.abcdefgh.part" / "new").exists()
    assert (tmp_path / ".other.abcdefgh.part" / "old").exists()
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("can_exchange", [True, False])
def test_replacing(tmp_path, monkeypatch, can_exchange):
    if not can_exchange:
        monkeypatch.setattr(files, "exchange", lambda *_: False)
    for content in ("first", "second"):
        with files.atomic_folder(tmp_path / "one", replace=True) as new:
            (new / "content").write_text(content)
        assert (tmp_path / "one" / "content").read_text() == content
    with pytest.raises(FileExistsError, match="must not exist"):
        with files.atomic_folder(tmp_path / "one"):
            pass
    assert os.listdir(tmp_path) == ["one"]


@pytest.mark.parametrize("name", ["x=[1,2]", "a*b", "a?b", "a\\b", "\udcff"])
def test_a_path_that_is_a_pattern(name):
    with pytest.raises(ValueError, match="`folder` must be UTF-8 without"):
        files.check_plain(pathlib.Path("/", name, "served"))
    for good in ("{a}", "a b", "\n", "ü", "]"):
        assert files.check_plain(pathlib.Path(good)) == pathlib.Path(good)


def test_a_folder_that_appears_at_the_last_moment(tmp_path, monkeypatch):
    path = tmp_path / "folder"

    def make_first(old, new, rename=os.rename):
        (path / "content").mkdir(parents=True)
        rename(old, new)

    monkeypatch.setattr(os, "rename", make_first)
    with pytest.raises(FileExistsError, match="must not exist"):
        with files.atomic_folder(path):
            pass
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("mode", ["w", "wb"])
def test_a_new_file_replaces_the_old_one_when_it_is_whole(tmp_path, mode):
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    text = "\u00e9\n" if mode == "w" else "\u00e9\n".encode()
    with pytest.raises(KeyboardInterrupt):
        with files.new_file(link, mode=mode) as file:
            file.write(text)
            raise KeyboardInterrupt
    assert path.read_text() == "old"
    with files.new_file(link, mode=mode) as file:
        file.write(text)
        assert path.read_text() == "old"
    assert path.read_bytes() == b"\xc3\xa9\n" and link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert {*tmp_path.iterdir()} == {path, link}


def test_pipes_and_devices_are_written_to(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    with files.new_file(tmp_path / "pipe") as file:
        file.write("text")
    assert os.read(reader, 9) == b"text"
    os.close(reader)
    assert (tmp_path / "pipe").is_fifo()


def test_a_full_disk_is_named(tmp_path):
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    with pytest.raises(OSError, match="`--output` .*'/dev/full' .No space"):
        with files.new_file("/dev/full", "--output") as file:
            file.write("text")
