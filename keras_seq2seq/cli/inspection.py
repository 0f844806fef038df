"""Describe an exported model: signatures, versions, sizes, ops.

    keras-seq2seq inspect saved_models/mine

FOLDER is a version, or the folder of versions, whose newest is described.
Fails if a stock TensorFlow Serving would refuse the model.
"""

import json

from keras_seq2seq.cli.backend import is_installed
from keras_seq2seq.export.inspection import inspect_export


def add_options(parser) -> None:
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("--json", action="store_true", help="print all as JSON")


def run(options) -> None:
    if not is_installed("tensorflow"):
        raise ImportError(
            "`inspect` needs TensorFlow. "
            "pip install 'keras-seq2seq[tensorflow]'"
        )
    found = inspect_export(options.folder)
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        print("\n".join(_lines(found)))
    if found["problem"]:
        raise ValueError(found["problem"])


def _lines(found):
    yield found["folder"]
    yield from _described(found["description"])
    for name, signature in found["signatures"].items():
        yield f"\n{name}"
        for side, arrow in (("inputs", "->"), ("outputs", "<-")):
            for tensor, spec in signature[side].items():
                yield f"  {arrow} {tensor:<18}{spec}"
    yield "\nfiles"
    for path, size in found["sizes"].items():
        yield f"  {size:>12,}  {path}"
    yield f"  {sum(found['sizes'].values()):>12,}  in all"
    yield f"\n{len(found['ops'])} kinds of ops"
    yield "  " + ", ".join(f"{op} {n}" for op, n in found["ops"].items())


def _described(description):
    if description is None:
        yield "  no export of keras_seq2seq: it has no description"
        return
    versions = description["versions"].items()
    yield "  " + ", ".join(f"{name} {version}" for name, version in versions)
    weights, search = description["weights"], description["search"]
    preset = description.get("preset") or "no preset"
    yield f"  {preset}, {weights['count']:,} weights, {search['class_name']}"
    yield f"  sources of at most {description['max_source_length']} tokens"
    if weights.get("source"):
        yield f"  weights from {weights['source']}"
    yield f"  weights sha256 {weights['sha256']}"
    for side in ("source", "target"):
        tokenizer = description[f"{side}_tokenizer"]
        if tokenizer is None:  # a source that is no text
            continue
        yield (
            f"  {side} {tokenizer['class_name']}, "
            f"{tokenizer['vocabulary_size']} tokens, sha256 "
            f"{tokenizer.get('vocabulary_sha256', 'not told')}"
        )
