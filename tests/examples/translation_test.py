"""The example of translation: how its texts are read, and its recipes."""

import importlib.util
import pathlib

import pytest

from keras_seq2seq.cli.recipe_file import read_recipe
from keras_seq2seq.cli.recipe_keys import make_recipe

FOLDER = pathlib.Path(__file__).parents[2] / "examples" / "translation"

LONG = """ First line of a paragraph,
 and its end. Another sentence.
  a verbatim line
 .
 A second paragraph."""


@pytest.fixture(scope="module")
def fetch():
    path = FOLDER / "fetch.py"
    spec = importlib.util.spec_from_file_location("fetch", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_paragraphs(fetch):
    assert fetch.paragraphs(LONG) == [
        "First line of a paragraph, and its end. Another sentence.",
        "A second paragraph.",
    ]


def test_aligned_sentences(fetch):
    source = "a synopsis", " One here. Two there.\n .\n Only one."
    target = "una sinossi", " Uno qui. Due lì.\n .\n Uno. Solo."
    assert fetch.aligned(source, target) == [
        ("a synopsis", "una sinossi"),
        ("One here.", "Uno qui."),
        ("Two there.", "Due lì."),
        ("Only one.", "Uno. Solo."),  # unequal counts: the paragraphs
    ]
    target = "una sinossi", " Uno qui."  # unequal counts of paragraphs
    assert fetch.aligned(source, target) == [("a synopsis", "una sinossi")]


def test_read(fetch, tmp_path):
    name = "x_dists_bookworm_main_i18n_Translation-it"
    stanza = "Package: {0}\nDescription-md5: {0}f\nDescription-it: s {0}\n l\n"
    text = "\n".join(map(stanza.format, "ab")) + "\n"
    (tmp_path / name).write_text(text)
    other = name.replace("bookworm", "bookworm-security")
    (tmp_path / other).write_text(stanza.format("c"))
    assert fetch.read(tmp_path, "it") == {
        "af": ("s a", " l"),  # the blank line ends it
        "bf": ("s b", " l"),
    }


def test_no_template_is_in_two_splits(fetch, monkeypatch):
    monkeypatch.setattr(fetch, "HELD_OUT", 4)
    assert fetch.template("This is X11, version 3.") == "# is # version #"
    pairs = [
        (f"{name} is the {word} of it.", f"{name} {word}")
        for name in ("Foo", "Bar2", "Baz")
        for word in ("first", "second", "third", "most", "best", "end")
        for word in (word, f"{word} and last", f"very {word}")
    ]
    splits = fetch.split(pairs)
    found = {
        name: {fetch.template(source) for source, _ in part}
        for name, part in splits.items()
    }
    assert [len(part) for part in splits.values()] == [30, 4, 4]
    assert len(found["dev"]) == len(found["test"]) == 4
    assert not found["dev"] & found["test"]
    assert not found["train"] & (found["dev"] | found["test"])


def test_recipes():
    paths = sorted(FOLDER.glob("*.yaml"))
    assert len(paths) == 2
    for path in paths:
        assert make_recipe(read_recipe(path)).minutes == 30
        assert len(path.read_text().splitlines()) <= 25


@pytest.mark.eager
def test_the_page_in_python(tmp_path, monkeypatch):
    page = (FOLDER / "README.md").read_text("utf-8")
    block = page.split("```python\n")[1].split("```")[0]
    assert len(block.splitlines()) <= 30
    for long, short in (("256", "4"), ("epochs=10", "epochs=1, verbose=0")):
        block = block.replace(long, short)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs" / "debian").mkdir(parents=True)
    for name, count in (("train", 40), ("dev", 4)):
        for side, word in (("en", "one"), ("it", "uno")):
            text = "".join(f"{word} {i} of {count}\n" for i in range(count))
            (tmp_path / "runs" / "debian" / f"{name}.{side}").write_text(text)
    with pytest.warns(UserWarning, match="`vocabulary_size` should be what"):
        exec(compile(block, "README.md", "exec"), {})
    assert (tmp_path / "runs/debian-python/keras_seq2seq.json").exists()
