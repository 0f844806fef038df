import shutil

from keras_seq2seq.data import PairReader
from keras_seq2seq.data import StreamedCorpus


def test_fingerprints_are_of_contents(tmp_path):
    path, copy = tmp_path / "a.tsv", tmp_path / "copy.tsv"
    path.write_text("a\tb\n")
    shutil.copy(path, copy)
    first = StreamedCorpus.from_tsv(path).reader
    assert isinstance(first, PairReader)
    assert (
        first.fingerprint()
        == StreamedCorpus.from_tsv(copy).reader.fingerprint()
    )
    copy.write_text("a\tc\n")
    assert (
        first.fingerprint()
        != StreamedCorpus.from_tsv(copy).reader.fingerprint()
    )


def test_fingerprints_are_of_the_way_of_reading(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": "x", "b": "y"}\n')
    one = StreamedCorpus.from_json_lines(path, source="a", target="b").reader
    other = StreamedCorpus.from_json_lines(path, source="b", target="a").reader
    assert one.fingerprint() != other.fingerprint()
    pairs = StreamedCorpus.from_files(path, path).reader
    turned = StreamedCorpus.from_tsv(path).reader
    assert pairs.fingerprint() != turned.fingerprint()


def test_pairs_of_no_file_have_none():
    reader = StreamedCorpus.from_pairs([("a", "b")]).reader
    assert reader.fingerprint() is None and reader.starts_anew
