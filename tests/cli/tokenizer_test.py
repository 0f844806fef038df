"""`keras-seq2seq tokenizer`."""

import gzip
import os

import pytest

from keras_seq2seq.cli import main
from keras_seq2seq.text import BytePairTokenizer
from keras_seq2seq.text import SubwordTokenizer
from keras_seq2seq.text import read_tokenizer
from tests.helpers.byte_pairs import trained
from tests.helpers.texts import real_texts


def files_of(texts, folder):
    """A plain and a gzipped file, half of the texts in each."""
    half = len(texts) // 2
    plain, zipped = folder / "a.txt", folder / "b.txt.gz"
    plain.write_text("\n".join(texts[:half]) + "\n", "utf-8")
    with gzip.open(zipped, "wt", encoding="utf-8") as file:
        file.write("\n".join(texts[half:]) + "\n")
    return [str(plain), str(zipped)]


@pytest.mark.parametrize("model_type", ["bpe", "unigram"])
def test_a_model_of_two_files(model_type, tmp_path, capsys):
    texts = real_texts(400)
    path = tmp_path / "own.model"
    arguments = ["--vocabulary-size", "900", "--model-type", model_type]
    files = files_of(texts, tmp_path)
    found = main.run(["tokenizer", *files, "--out", str(path), *arguments])
    assert found == 0
    tokenizer = read_tokenizer(path)
    expected = SubwordTokenizer.from_texts(
        texts, vocabulary_size=900, model_type=model_type
    )
    assert isinstance(tokenizer, SubwordTokenizer)
    assert tokenizer.vocabulary.tokens == expected.vocabulary.tokens
    rows = [expected.encode(text) for text in texts]
    ids = [index for row in rows for index in row]
    share = sum(4 <= index < 260 for index in ids) / len(ids)
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        f"900 pieces, {len(ids) / 400:.1f} a line in 400 lines, "
        f"{100 * share:.2f} % of them bytes, 0.00 % unknown",
        str(path),
    ]
    assert sorted(x.name for x in tmp_path.iterdir()) == [
        "a.txt",
        "b.txt.gz",
        "own.model",
    ]


def test_normalized(tmp_path):
    path = tmp_path / "own.model"
    files = files_of(real_texts(100), tmp_path)
    arguments = ["--normalization", "nfkc", "--vocabulary-size", "400"]
    command = ["tokenizer", *files, "--out", str(path), *arguments]
    assert main.run(command) == 0
    assert main.run(command) == 0  # an existing file is replaced
    tokenizer = read_tokenizer(path)
    assert tokenizer.decode(tokenizer.encode("\ufb01")) == "fi"


def test_errors(tmp_path, capsys):
    files = files_of(real_texts(20), tmp_path)
    out = ["--out", str(tmp_path / "own.model")]
    os.mkfifo(tmp_path / "pipe")
    for arguments, problem in (
        ([str(tmp_path / "none"), *out], "does not exist"),
        ([str(tmp_path / "pipe"), *out], "a pipe or device"),
        ([*files, "--out", str(tmp_path)], "is a folder"),
        ([*files, *out, "--vocabulary-size", "9"], "--vocabulary-size"),
    ):
        assert main.run(["tokenizer", *arguments]) == 2
        assert problem in capsys.readouterr().err
    assert not (tmp_path / "own.model").exists()


def test_a_tokenizer_of_a_file(tmp_path):
    path = tmp_path / "tokenizer.json"
    trained().save(str(path))
    tokenizer = read_tokenizer(str(path))
    assert isinstance(tokenizer, BytePairTokenizer)
    ids = trained().encode("a text").ids
    assert tokenizer.encode("a text") == [i + 4 for i in ids]
