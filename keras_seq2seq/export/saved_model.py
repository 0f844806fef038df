"""A task as one version of a served model."""

import json
import os
import pathlib
import tempfile

import keras

from keras_seq2seq.utils.checks import check_integer
from keras_seq2seq.utils.files import whole_folder

MAX_SOURCE_LENGTH = 512
EXTRA = pathlib.PurePath("assets.extra", "keras_seq2seq.json")


def export_saved_model(task, folder, *, n_best=None, max_source_length=None):
    """Write a task as `folder/<next version>`, a SavedModel.

    The graph goes from strings to strings, with core TensorFlow ops alone, as
    stock TensorFlow Serving wants it: weights, vocabularies and search are
    inside. Its answers are those of `task.generate`. Two signatures, both with
    the input `text`, strings `(batch,)`, and, where the search names them,
    `seed`, int32 `(batch,)`, `prefix`, strings `(batch,)`, and `banned_mask`,
    booleans `(batch, vocabulary_size)`:

    - `serving_default`: `text`, strings `(batch,)`, and `score`, float32
      `(batch,)`, the best hypothesis and its score.
    - `n_best`, best first: `texts`, strings `(batch, n_best)`; `scores`,
      float32 `(batch, n_best)`; `lengths`, int32 `(batch, n_best)`, in tokens,
      the end token counted; `attention_scores`, float32
      `(batch, n_best, longest target, longest source)`, zero after the end
      token and at padding; `source_lengths`, int32 `(batch,)`. A place without
      a hypothesis has the text `""`, the score -1e9 and the length 0.

    Every text has a finite answer, the empty one too, and one row's never
    depends on another's. Bytes that are not UTF-8 read as U+FFFD. A text is
    cut after `max_source_length` tokens, which `task.generate` never does.

    The folder appears whole or not at all, and no version is ever replaced.
    `assets.extra/keras_seq2seq.json` tells what is in it.

    Runs under the TensorFlow backend, with no GPU in sight: kernels of a GPU
    would end up in the graph. `task.export` works everywhere, through a
    process of its own.

    Args:
        task: `TextToText`.
        folder: Path of the folder that holds the versions.
        n_best: Integer. Hypotheses of the signature `n_best`. Defaults to
            `None`: the search's own number, or, where that is 1, up to five
            of its beams.
        max_source_length: Integer. Longest source in tokens. Defaults to
            `None`: 512, or as many as the model's positions allow.

    Returns:
        Path of the version's folder, a string.
    """
    _check_backend()
    from keras_seq2seq.export.description import described
    from keras_seq2seq.export.graph_checks import check_graph
    from keras_seq2seq.export.serving import write_graph

    n_best = _default_n_best(task.search) if n_best is None else n_best
    search = task.search.with_n_best(n_best)
    max_source_length = _longest_source(task, max_source_length)
    target = _next_version(_checked(folder))
    with whole_folder(target) as new, tempfile.TemporaryDirectory() as tables:
        inputs, outputs = write_graph(
            task,
            search,
            new,
            table_folder=tables,
            max_source_length=max_source_length,
        )
        check_graph(new)
        (new / EXTRA).parent.mkdir(exist_ok=True)
        description = described(
            task, search, max_source_length, inputs, outputs
        )
        text = json.dumps(description, indent=1)
        (new / EXTRA).write_text(text + "\n", encoding="utf-8")
    return str(target)


def _default_n_best(search):
    if search.n_best > 1:
        return search.n_best
    return min(search.width, 5)


def _longest_source(task, wanted):
    """`wanted`, if the model has positions for it; or the most it has."""
    length = MAX_SOURCE_LENGTH if wanted is None else wanted
    check_integer(length, "max_source_length", 1)
    while True:
        try:
            task.model.check_lengths(length, task.search.max_length)
        except ValueError:
            if wanted is not None or length == 1:
                raise
            length -= 1
        else:
            return length


def _check_backend():
    backend = keras.backend.backend()
    if backend != "tensorflow":
        raise RuntimeError(
            "A SavedModel must be made under the TensorFlow backend. Received: "
            f"backend={backend!r}. Call `task.export(folder)`, which starts a "
            "process with that backend."
        )


def _checked(folder):
    """The path of `folder`, which is one or can become one."""
    folder = pathlib.Path(folder).absolute()
    nearest = folder
    while not nearest.exists():
        nearest = nearest.parent
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        problem = "cannot be written to" if nearest.is_dir() else "is a file"
        raise OSError(
            "`folder` must be a folder to write to, or a new one. Received: "
            f"folder={str(folder)!r}, where {nearest} {problem}. Choose "
            "another place."
        )
    return folder


def _next_version(folder):
    names = os.listdir(folder) if folder.exists() else []
    versions = [int(name) for name in names if name.isdecimal()]
    return folder / str(max(versions, default=0) + 1)
