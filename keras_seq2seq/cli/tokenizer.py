"""Learn a subword tokenizer from text files and save its model.

    keras-seq2seq tokenizer train.en train.it --out subwords.model

The file is a SentencePiece model. Prints how many pieces it has, and, for the
first lines of the texts, how many a line has and how many are single bytes of
characters that no piece has.
"""

import itertools

from keras_seq2seq.cli.options import at_least_one
from keras_seq2seq.data.corpus_files import file_lines
from keras_seq2seq.text import SubwordTokenizer
from keras_seq2seq.text.subword_file import MODEL_TYPES
from keras_seq2seq.text.subword_training import NORMALIZATIONS
from keras_seq2seq.utils.files import check_file_target
from keras_seq2seq.utils.files import check_regular_file
from keras_seq2seq.utils.files import new_file

COUNTED = 100_000  # lines


def add_options(parser) -> None:
    add = parser.add_argument
    add(
        "files",
        nargs="+",
        metavar="FILE",
        help="texts, one per line, in UTF-8, plain or gzipped",
    )
    add("--out", required=True, metavar="FILE", help="where to save the model")
    add(
        "--vocabulary-size",
        type=at_least_one,
        default=8000,
        metavar="N",
        help="number of pieces at most, special ones and 256 bytes included "
        "(default: %(default)s)",
    )
    add(
        "--model-type",
        choices=sorted(MODEL_TYPES.values()),
        default="bpe",
        help="default: %(default)s",
    )
    add(
        "--normalization",
        choices=NORMALIZATIONS,
        default="identity",
        help="rule of SentencePiece (default: %(default)s, texts come back as "
        "they were)",
    )


def run(options) -> None:
    check_file_target(options.out, "--out")  # before, not after
    for path in options.files:
        check_regular_file(path, "FILE")
    tokenizer = SubwordTokenizer.from_texts(
        _texts(options.files),
        vocabulary_size=options.vocabulary_size,
        model_type=options.model_type,
        normalization=options.normalization,
    )
    with new_file(options.out, "--out", mode="wb") as file:
        file.write(tokenizer.model)
    texts = itertools.islice(_texts(options.files), COUNTED)
    print(f"{len(tokenizer.vocabulary):,} pieces, {_counts(tokenizer, texts)}")
    print(options.out)


def _texts(paths):
    """Yield the lines of all files."""
    for path in paths:
        for _, text in file_lines(path, "FILE"):
            yield text


def _counts(tokenizer, texts):
    """Say how many pieces there are in some texts."""
    lines = total = unknown = raw = 0
    single = {*tokenizer.pieces.byte_ids}
    for text in texts:
        ids = tokenizer.encode(text)
        lines, total = lines + 1, total + len(ids)
        unknown += ids.count(tokenizer.vocabulary.unknown_token_id)
        raw += sum(index in single for index in ids)
    share = 100 / max(total, 1)
    return (
        f"{total / lines:.1f} a line in {lines:,} lines, {share * raw:.2f} % "
        f"of them bytes, {share * unknown:.2f} % unknown"
    )
