"""Pairs of texts from the files that options name."""

import os

JSON_LINES = ".jsonl", ".jsonl.gz"
CORPUS_HELP = (
    "file with source<TAB>target on each line, or, if it ends with .jsonl, a "
    "JSON object with both; plain or gzipped; or cmudict, the dictionary that "
    "comes with the package"
)


def add_pairs(parser) -> None:
    """Add the options that `read_pairs` reads."""
    add = parser.add_argument
    add("corpus", nargs="?", metavar="CORPUS", help=CORPUS_HELP)
    add("--source", nargs="+", metavar="FILE", help="files of source texts")
    add("--target", nargs="+", metavar="FILE", help="files of target texts")


def read_pairs(kind, corpus, source, target, *, prefix="", **tokenizers):
    """Read a file of pairs, or files of both sides.

    Args:
        kind: `ParallelCorpus` or `StreamedCorpus`.
        corpus: Path, or `None`.
        source, target: Lists of paths, or `None` with `corpus`.
        prefix: String. Prefix of the names of the latter two in errors.
        **tokenizers: Names of tokenizers.
    """
    sides = source, target
    name = prefix.rstrip("_") or "corpus"
    is_one, is_two = corpus is not None, None not in sides
    if is_one == is_two or (is_one and any(sides)):
        raise ValueError(
            f"Pairs must be in `{name}`, one file, or in `{prefix}source` and "
            f"`{prefix}target`, files of both sides. Received: "
            f"{name}={corpus!r}, {prefix}source={source!r}, "
            f"{prefix}target={target!r}"
        )
    if is_two:
        return kind.from_files(source, target, **tokenizers)
    if not os.path.isfile(corpus):
        raise ValueError(
            "Pairs must be in a file with source<TAB>target on each line, or "
            f"cmudict. Received: {corpus}, which is no file."
        )
    if corpus.endswith(JSON_LINES):
        return kind.from_json_lines(corpus, **tokenizers)
    return kind.from_tsv(corpus, **tokenizers)
