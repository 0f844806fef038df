import os
import pathlib
import resource
import shutil
import signal

import numpy as np
import pytest

from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.data import StreamedCorpus
from keras_seq2seq.data import encode_corpus as module
from keras_seq2seq.data.encode_corpus import encode_corpus
from keras_seq2seq.text import CharacterTokenizer
from keras_seq2seq.text import SymbolTokenizer
from tests.data.streamed_corpus_test import PAIRS
from tests.data.streamed_corpus_test import write

SOURCE = CharacterTokenizer.from_texts(text for text, _ in PAIRS)
TARGET = SymbolTokenizer.from_texts(text for _, text in PAIRS)


def decoded(encoded):
    sides = zip(encoded.sources, encoded.targets)
    return [(SOURCE.decode(s), TARGET.decode(t)) for s, t in sides]


@pytest.fixture
def corpus(tmp_path):
    return StreamedCorpus.from_tsv(write(tmp_path))


@pytest.mark.parametrize("chunk", [1, 3, 4096])
@pytest.mark.parametrize("cached", [False, True])
def test_ids(corpus, tmp_path, monkeypatch, chunk, cached):
    monkeypatch.setattr(module, "CHUNK", chunk)
    folder = tmp_path / "cache" if cached else None
    corpus, counts = corpus.filtered(max_length=20), []
    found = encode_corpus(corpus, SOURCE, TARGET, folder, counts.append)
    assert decoded(found) == [*corpus.pairs()]
    assert found.left_out == {
        **{"empty": 1, "broken": 1, "copy": 1, "long": 1, "repeated": 1}
    }
    assert counts[-1] == len(PAIRS) and len(found) == 3
    assert repr(found) == "EncodedCorpus(3 pairs)"


def test_lengths_in_tokens(corpus):
    limits = {"max_length": 3, "keep": ["broken", "copy", "empty", "repeated"]}
    tokenizers = {"source_tokenizer": SOURCE, "target_tokenizer": TARGET}
    found = encode_corpus(
        corpus.filtered(**limits, **tokenizers), SOURCE, TARGET
    )
    in_memory = ParallelCorpus.from_pairs(PAIRS)
    expected = in_memory.filtered(**limits, **tokenizers)
    assert decoded(found) == [*expected.pairs()]
    assert found.left_out == expected.left_out == {"long": 3}


def files(folder):
    return {x: x.stat().st_mtime_ns for x in pathlib.Path(folder).rglob("*")}


def test_found_again_by_contents(corpus, tmp_path):
    folder = tmp_path / "cache"
    encode_corpus(corpus, SOURCE, TARGET, folder)
    before = files(folder)
    again = StreamedCorpus.from_tsv(write(tmp_path))
    assert len(encode_corpus(again, SOURCE, TARGET, folder)) == len(PAIRS)
    assert files(folder) == before
    (tmp_path / "pairs.tsv").write_text("one\teins\n")
    assert decoded(encode_corpus(again, SOURCE, TARGET, folder)) == [
        ("one", "eins")
    ]
    assert len([*folder.iterdir()]) == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda corpus: corpus.filtered(),
        lambda corpus: corpus.filtered(max_length=20),
        lambda corpus: corpus.filtered(max_length=20, source_tokenizer=SOURCE),
        lambda corpus: corpus.split(validation=0.4).train,
        lambda corpus: corpus.split(validation=0.5).train,
    ],
)
def test_what_changes_the_ids_is_in_the_key(corpus, tmp_path, change):
    encode_corpus(corpus, SOURCE, TARGET, tmp_path / "cache")
    found = encode_corpus(change(corpus), SOURCE, TARGET, tmp_path / "cache")
    assert decoded(found) == [*change(corpus).pairs()]
    assert len([*(tmp_path / "cache").iterdir()]) == 2


def test_tokenizers_are_in_the_key(corpus, tmp_path):
    encode_corpus(corpus, SOURCE, TARGET, tmp_path)
    other = SymbolTokenizer.from_texts(["eins"])
    found = encode_corpus(corpus, SOURCE, other, tmp_path)
    assert found.targets[0].tolist() == [4, 3]


def test_a_failed_run_leaves_nothing(corpus, tmp_path):
    (tmp_path / "pairs.tsv").write_text("one\teins\nno tab\n")
    with pytest.raises(ValueError, match="line 2"):
        encode_corpus(corpus, SOURCE, TARGET, tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_errors(corpus, tmp_path):
    pairs = StreamedCorpus.from_pairs(PAIRS)
    with pytest.raises(ValueError, match="read from files.* corpus of other"):
        encode_corpus(pairs, SOURCE, TARGET, tmp_path / "cache")
    (tmp_path / "pairs.tsv").write_text("one\tone\n")
    with pytest.raises(ValueError, match="all pairs are removed: 1 copy"):
        encode_corpus(corpus.filtered(), SOURCE, TARGET)


def change_one_id(folder):
    ids = np.fromfile(folder / "target/ids", "uint16")
    ids[0] = 4 if ids[0] != 4 else 5  # in the vocabulary
    ids.tofile(folder / "target/ids")


def cut_ids(folder):
    path = folder / "source/ids"
    os.truncate(path, path.stat().st_size - 2)


def other_json(folder):
    (folder / "source/rows.json").write_text("[]")


def other_sides(folder):
    shutil.rmtree(folder / "target")
    encoded = StreamedCorpus.from_tsv(write(folder.parent.parent)).filtered()
    encode_corpus(encoded, SOURCE, TARGET, folder.parent / "other")
    (other,) = (folder.parent / "other").iterdir()
    shutil.copytree(other / "target", folder / "target")


@pytest.mark.parametrize(
    "damage",
    [
        change_one_id,
        cut_ids,
        other_json,
        other_sides,
        lambda folder: (folder / "source/offsets").unlink(),
        lambda folder: (folder / "source/rows.json").write_text("{"),
        lambda folder: (folder / "left_out.json").write_text("[1]"),
        shutil.rmtree,
    ],
)
def test_damaged_files_are_not_served(corpus, tmp_path, damage):
    encode_corpus(corpus, SOURCE, TARGET, tmp_path / "cache")
    (folder,) = (tmp_path / "cache").iterdir()
    damage(folder)
    if damage is shutil.rmtree:
        folder.mkdir()
    with pytest.raises(ValueError, match=f"{folder.name}, which is damaged"):
        encode_corpus(corpus, SOURCE, TARGET, tmp_path / "cache")
    shutil.rmtree(folder)
    assert len(encode_corpus(corpus, SOURCE, TARGET, tmp_path / "cache"))


def test_what_is_there_is_found_in_a_folder_to_read_only(
    corpus, tmp_path, monkeypatch
):
    encode_corpus(corpus, SOURCE, TARGET, tmp_path / "cache")
    monkeypatch.setattr(os, "access", lambda path, mode: mode == os.R_OK)
    assert len(encode_corpus(corpus, SOURCE, TARGET, tmp_path / "cache"))
    with pytest.raises(OSError, match="`cache_folder` must .* written to"):
        encode_corpus(corpus.filtered(), SOURCE, TARGET, tmp_path / "cache")


@pytest.mark.parametrize("cached", [False, True])
def test_a_full_disk(corpus, tmp_path, cached):
    text = "".join(f"one {i}\teins\n" for i in range(2000))
    (tmp_path / "pairs.tsv").write_text(text)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (9000, before[1]))
    try:
        with pytest.raises(OSError, match="`cache_folder` .* enough space"):
            folder = tmp_path / "cache" if cached else None
            encode_corpus(corpus, SOURCE, TARGET, folder)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert not (tmp_path / "cache").exists()


def test_files_that_change_meanwhile(corpus, tmp_path):
    def grow(count):
        with open(tmp_path / "pairs.tsv", "a") as file:
            file.write("seven\tsieben\n")

    with pytest.raises(ValueError, match="must not change while"):
        encode_corpus(corpus, SOURCE, TARGET, tmp_path / "cache", grow)
    assert not (tmp_path / "cache").exists()


def test_another_process_was_faster(corpus, tmp_path):
    def encode_it_too(count):
        encode_corpus(corpus, SOURCE, TARGET, tmp_path / "cache")

    found = encode_corpus(
        corpus, SOURCE, TARGET, tmp_path / "cache", encode_it_too
    )
    assert decoded(found) == [*corpus.pairs()]
    assert len([*(tmp_path / "cache").iterdir()]) == 1
