"""Pairs of TensorFlow Datasets: a folder of files, and a dataset by name."""

import sys

import pytest

from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.data import StreamedCorpus
from keras_seq2seq.data.encode_corpus import encode_corpus
from keras_seq2seq.text import CharacterTokenizer

NAMES = {"source": "en", "target": "it"}
NOISY = "ignore::DeprecationWarning", "ignore::UserWarning"  # in its imports


@pytest.fixture
def folder(tmp_path):
    for name, lines in (("en.train", "one two"), ("it.train", "uno due")):
        path = tmp_path / "texts" / f"{name}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(lines.replace(" ", "\n") + "\n")
    return tmp_path / "texts"


def installed():
    pytest.importorskip("tensorflow")
    return pytest.importorskip("tensorflow_datasets")


@pytest.mark.filterwarnings(*NOISY)
def test_a_folder(folder, tmp_path):
    installed()
    corpus = StreamedCorpus.from_tfds(folder, **NAMES)
    expected = [("one", "uno"), ("two", "due")]
    assert [*corpus.pairs()] == [*corpus.pairs()] == expected
    assert [*ParallelCorpus.from_tfds(folder, **NAMES).pairs()] == expected
    tokenizer = CharacterTokenizer.from_texts(["onetwudi"])
    found = encode_corpus(corpus, tokenizer, tokenizer, tmp_path / "cache")
    assert [tokenizer.decode(ids) for ids in found.targets] == ["uno", "due"]


@pytest.mark.filterwarnings(*NOISY)
def test_a_dataset_by_name():
    testing = installed().testing
    code = testing.MockPolicy.USE_CODE
    names = {"source": "pt", "target": "en"}
    with testing.mock_data(num_examples=3, policy=code):
        name = "ted_hrlr_translate/pt_to_en"
        corpus = ParallelCorpus.from_tfds(name, split="validation", **names)
        with pytest.raises(ValueError, match=r"\['en', 'pt'\].*: 'fr'"):
            ParallelCorpus.from_tfds(name, **{**names, "target": "fr"})
    pairs = [*corpus.pairs()]
    assert len(pairs) == 3 and len(corpus) == 3
    assert all(isinstance(text, str) for pair in pairs for text in pair)


def test_errors_of_folders(folder):
    with pytest.raises(ValueError, match="which has no en.test.txt"):
        StreamedCorpus.from_tfds(folder, split="test", **NAMES)
    (folder / "it.train.txt").write_text("uno\x85due\ntre\n")
    with pytest.raises(ValueError, match="en.train.txt with 2, it.* with 3"):
        StreamedCorpus.from_tfds(folder, **NAMES)
    (folder / "README").write_text("")
    with pytest.raises(ValueError, match="named LANGUAGE.SPLIT.txt.* README"):
        StreamedCorpus.from_tfds(folder, **NAMES)


def test_without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorflow_datasets", None)
    with pytest.raises(ImportError, match=r"keras-seq2seq\[tfds\]"):
        ParallelCorpus.from_tfds("wmt14_translate", **NAMES)
