"""Description of an exported version, read from its files."""

import collections
import json
import pathlib

from keras_seq2seq.export.graph_checks import check_files
from keras_seq2seq.export.graph_checks import check_graph
from keras_seq2seq.export.graph_checks import read_functions
from keras_seq2seq.export.graph_checks import read_saved_model
from keras_seq2seq.export.saved_model import DESCRIPTION
from keras_seq2seq.utils.files import read_text


def inspect_export(folder):
    """Describe a SavedModel without loading it.

    Args:
        folder: Path of a version, or of the folder of versions, whose newest
            is then described.

    Returns:
        Dict of `folder`; `description`, written by the export, or `None`;
        `signatures`, name -> dict of `inputs` and `outputs`, name -> `"dtype
        (shape)"`; `sizes`, file -> bytes; `ops`, op -> number of nodes; and
        `problem`, why a stock server would refuse the model, or `None`.
    """
    folder = find_newest_version(folder)
    ops = collections.Counter(
        node.op for _, _, nodes in read_functions(folder) for node in nodes
    )
    return {
        "folder": str(folder),
        "description": _description(folder),
        "signatures": _signatures(folder),
        "sizes": {
            str(path.relative_to(folder)): path.stat().st_size
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        },
        "ops": dict(sorted(ops.items())),
        "problem": _problem(folder),
    }


def find_newest_version(folder):
    """The folder itself, if it holds a SavedModel, or its highest version."""
    folder = pathlib.Path(folder)
    if (folder / "saved_model.pb").is_file():
        return folder
    versions = [
        int(path.parent.name)
        for path in folder.glob("*/saved_model.pb")
        if path.parent.name.isdecimal()
    ]
    if not versions:
        raise ValueError(
            "`folder` must contain a SavedModel, or numbered versions of one. "
            f"Received: folder={str(folder)!r}"
        )
    return folder / str(max(versions))


def _description(folder):
    path = folder / DESCRIPTION
    if not path.is_file():
        return None
    return json.loads(read_text(path))


def _signatures(folder):
    (meta_graph,) = read_saved_model(folder).meta_graphs
    return {
        name: {
            side: {n: _spec(x) for n, x in sorted(getattr(found, side).items())}
            for side in ("inputs", "outputs")
        }
        for name, found in sorted(meta_graph.signature_def.items())
        if not name.startswith("__")
    }


def _spec(info):
    from tensorflow.core.framework import types_pb2

    dtype = types_pb2.DataType.Name(info.dtype).removeprefix("DT_").lower()
    if info.tensor_shape.unknown_rank:
        return f"{dtype} (any shape)"
    sizes = ["?" if x.size == -1 else x.size for x in info.tensor_shape.dim]
    return f"{dtype} ({', '.join(map(str, sizes))})"


def _problem(folder):
    try:
        check_files(folder)
        check_graph(folder)
    except ValueError as error:
        return str(error)
    return None
