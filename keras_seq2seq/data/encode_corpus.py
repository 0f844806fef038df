"""Encodes corpora to token ids in files."""

import contextlib
import hashlib
import json
import pathlib
import tempfile

import keras

from keras_seq2seq.data.encoded_corpus import EncodedCorpus
from keras_seq2seq.data.filters import check_left
from keras_seq2seq.data.streamed_corpus import StreamedCorpus
from keras_seq2seq.data.token_rows import TokenRows
from keras_seq2seq.data.token_rows_writer import TokenRowsWriter
from keras_seq2seq.text import Tokenizer
from keras_seq2seq.utils.chunks import chunks
from keras_seq2seq.utils.files import atomic_folder
from keras_seq2seq.utils.files import check_path
from keras_seq2seq.utils.files import check_writable
from keras_seq2seq.utils.files import full_disk
from keras_seq2seq.utils.files import read_text

FORMAT = 2  # of the files
CHUNK = 4096  # pairs
SIDES = "source", "target"
COUNTS = "left_out.json"


def encode_corpus(
    corpus: StreamedCorpus,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    cache_folder=None,
    progress=None,
) -> EncodedCorpus:
    """Encode the pairs of a corpus that need not fit into memory.

    The ids are written to files, which are memory-mapped. Their names in
    `cache_folder` depend on a hash of the files of the corpus, the filters, the
    split and both tokenizers: equal calls, also in other processes, find them.

    Args:
        corpus: `StreamedCorpus` whose pairs come from files.
        source_tokenizer, target_tokenizer: `Tokenizer`.
        cache_folder: Path. Defaults to `None`: temporary files, which are gone
            when the process ends.
        progress: Function of the number of pairs read so far. Defaults to
            `None`.
    """
    tokenizers = source_tokenizer, target_tokenizer
    if cache_folder is None:
        with tempfile.TemporaryDirectory() as folder:
            with full_disk(folder, "cache_folder"):
                _write(pathlib.Path(folder), corpus, tokenizers, progress)
            return _open(folder)  # mapped files live on
    parent = check_path(cache_folder, "cache_folder")
    folder = parent / _key(corpus, tokenizers)
    if not folder.exists():
        check_writable(parent, "cache_folder")
        with contextlib.suppress(FileExistsError):  # another was faster
            with (
                full_disk(parent, "cache_folder"),
                atomic_folder(folder) as new,
            ):
                _write(new, corpus, tokenizers, progress)
                _check_unchanged(folder, corpus, tokenizers)
    return _open_cached(folder)


def _key(corpus, tokenizers):
    """Hash of everything that the ids depend on."""
    fingerprint = corpus.reader.fingerprint()
    if fingerprint is None:
        raise ValueError(
            "`cache_folder` needs a corpus that is read from files, by whose "
            "contents it is found again. Received: a corpus of other pairs. "
            "Leave `cache_folder` out."
        )
    parts = {
        "format": FORMAT,
        "corpus": fingerprint,
        "limits": corpus.limits,
        "measures": [_config(x) for x in corpus.measures or ()],
        "part": corpus.part,
        "tokenizers": [_config(x) for x in tokenizers],
    }
    text = json.dumps(parts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _check_unchanged(folder, corpus, tokenizers):
    """Raise where the files are others than those that the name is for."""
    if folder.name != _key(corpus, tokenizers):
        raise ValueError(
            "The files of a corpus must not change while they are encoded. "
            f"Received: {corpus.reader.files}, one of which did. Begin again "
            "when they are complete."
        )


def _config(tokenizer):
    if isinstance(tokenizer, str):
        return tokenizer
    return keras.saving.serialize_keras_object(tokenizer)


def _write(folder, corpus, tokenizers, progress):
    run, read = corpus.begin_pass(), 0
    known = _lengths_are_known(corpus, tokenizers)
    with contextlib.ExitStack() as stack:
        writers = [
            stack.enter_context(
                TokenRowsWriter(folder / side, len(tokenizer.vocabulary))
            )
            for side, tokenizer in zip(SIDES, tokenizers)
        ]
        for chunk in chunks(corpus.unfiltered_pairs(), CHUNK):
            rows = [
                tokenizer.encode_batch(texts)
                for tokenizer, texts in zip(tokenizers, zip(*chunk))
            ]
            lengths = [
                (len(s), len(t)) if known else None for s, t in zip(*rows)
            ]
            kept = [i for i, x in enumerate(chunk) if run.keeps(*x, lengths[i])]
            for writer, side in zip(writers, rows):
                writer.write([side[i] for i in kept])
            read += len(chunk)
            if progress is not None:
                progress(read)
    check_left(writers[0].rows, run.counts)
    text = json.dumps(run.counts if corpus.limits else None)
    (folder / COUNTS).write_text(text, "utf-8")


def _lengths_are_known(corpus, tokenizers):
    """Whether filters count the tokens of the ids that are written."""
    measures = corpus.measures or (None, None)
    return all(x is y for x, y in zip(measures, tokenizers))


def _open(folder):
    folder = pathlib.Path(folder)
    sides = [TokenRows.open(folder / side) for side in SIDES]
    return EncodedCorpus(*sides, json.loads(read_text(folder / COUNTS)))


def _open_cached(folder):
    try:
        encoded = _open(folder)
        is_valid = isinstance(encoded.left_out, dict | None)
        if not is_valid or len(encoded.sources) != len(encoded.targets):
            raise ValueError("its parts do not belong together")
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ValueError(
            "`cache_folder` must hold token ids as they were written. "
            f"Received: {folder}, which is damaged ({error}). Remove this "
            "folder, and the corpus is encoded again."
        ) from error
    return encoded
