"""Export of a task as one version of a served model."""

import json
import os
import pathlib
import shutil
import tempfile

import keras

from keras_seq2seq.export.examples import make_examples
from keras_seq2seq.export.searches import choose_n_best
from keras_seq2seq.export.selection import select_signatures
from keras_seq2seq.export.signatures.parts import Parts
from keras_seq2seq.utils.files import atomic_folder
from keras_seq2seq.utils.files import check_path
from keras_seq2seq.utils.files import check_plain
from keras_seq2seq.utils.files import check_writable
from keras_seq2seq.utils.sizes import check_dimension

MAX_SOURCE_LENGTH = 512
BATCHING = "batching_params.pbtxt"
DESCRIPTION = pathlib.PurePath("assets.extra", "keras_seq2seq.json")
WARMUP = pathlib.PurePath("assets.extra", "tf_serving_warmup_requests")


def export_saved_model(
    task,
    folder,
    *,
    n_best=None,
    max_source_length=None,
    searches=None,
    signatures=None,
    examples=None,
    replace_unknown=False,
    source=None,
):
    """Write a task as `folder/<next version>`, a SavedModel.

    The graph includes tokenizers, weights and search. It has only core
    TensorFlow ops, as stock TensorFlow Serving requires, and gives the answers
    of `task.generate`. It has these signatures, whose inputs and outputs have
    the batch as their first axis:

    - `serving_default`: `text` to `text` and `score`, the best answer.
    - `n_best`: `text` to `texts`, `scores` and `lengths` `(batch, n_best)`,
      best first; `attention_scores` `(batch, n_best, longest target, longest
      source)`, zero after the end token and at padding; and `source_lengths`.
      If there are fewer answers, the remaining ones have the text `""`, the
      score -1e9 and the length 0.
    - `score`: `source` and `target` to `log_prob`, `token_log_probs`
      `(batch, longest target)`, and `target_lengths`, including the end token.
    - `sample`: `text` and `seed` to `text` and `score`, drawn at random.
    - `token_ids`: `token_ids` `(batch, length)` and `lengths` to `token_ids`
      `(batch, n_best, max_length)`, `scores` and `lengths`.
    - `attention`, only if it is in `signatures`: as `n_best`, with
      `attention_scores` `(batch, n_best, layers, heads, longest target,
      longest source)`, and, for a model with self-attention,
      `encoder_attention_scores` `(batch, layers, heads, longest source,
      longest source)` and `decoder_attention_scores` `(batch, n_best, layers,
      heads, longest target, longest target)`.
    - one for each of `searches`: as `serving_default` if it gives one answer,
      as `n_best` if it gives several.

    Texts are strings, scores are float32, all others int32. The signature of a
    search that needs more has the inputs `seed`, int32, `prefix`, strings, or
    `banned_mask`, booleans `(batch, vocabulary size)`.

    If the sources of the task are not texts, the arrays that the model reads
    take the place of `text`, such as `encoder_inputs` and `encoder_lengths`,
    and there is no `token_ids`.

    Every text has a finite answer, even an empty one, and no row depends on
    another. Bytes that are not UTF-8 are read as U+FFFD. Unlike in
    `task.generate`, a source is cut after `max_source_length` tokens. A target
    to be scored is cut after the `max_length` of the search, including the end
    token. A longer prefix has no answer. An unknown token in a prefix stays an
    unknown token.

    The folder is written completely or not at all, after every signature has
    answered test requests. No version is ever replaced. Beside the model, it
    contains `assets.extra/keras_seq2seq.json`, a description;
    `assets.extra/tf_serving_warmup_requests`, which a server answers before it
    is ready; and `batching_params.pbtxt`, which suits these signatures.

    This function needs the TensorFlow backend, and no visible GPU, whose
    kernels would otherwise be part of the graph. `task.export` works under any
    backend, by starting a process.

    Args:
        task: Task, such as `TextToText` or `TextCompletion`.
        folder: Path of the folder that contains the versions.
        n_best: Integer. Number of answers of the signature `n_best`. Defaults
            to `None`: the search's own number, or, if that is 1, up to five
            of its beams.
        max_source_length: Integer. Longest source in tokens. Defaults to
            `None`: 512, or the most that the model has positions for.
        searches: Dict of signature name -> `Search`, its name or config.
            `sample` replaces the default `Sampling` of that signature.
            Defaults to `None`.
        signatures: List of names of the signatures above, or of `Signature`s
            of your own, by name, config or instance. Only these and
            `serving_default` are exported: a server loads fewer signatures
            faster. Defaults to `None`: all of the above except `attention`.
        examples: List of real sources for the warmup requests: one for each
            bucket of lengths is used. Defaults to `None`: sources made up
            from the vocabulary.
        replace_unknown: Boolean. Whether an unknown token in an answer is
            replaced by the source token that it attended to most, as it was
            written. Defaults to `False`.
        source: String, the origin of the weights, for the description.

    Returns:
        Path of the version's folder, a string.
    """
    _check_backend()
    max_source_length = choose_source_length(task, max_source_length)
    n_best = choose_n_best(task.search) if n_best is None else n_best
    search = task.search.with_n_best(n_best)
    if replace_unknown:
        task.source_words([])  # raises if there are none
    target = _next_version(folder)
    with (
        atomic_folder(target) as new,
        tempfile.TemporaryDirectory(dir=new.parent) as scratch,
    ):
        parts = Parts.of(
            task,
            search,
            scratch,
            max_source_length=max_source_length,
            replace_unknown=replace_unknown,
        )
        chosen = select_signatures(parts, signatures, searches)
        found = make_examples(parts.source, examples)
        description = _write(new, parts, chosen, found, target.parent.name)
        description["weights"]["source"] = source
        text = json.dumps(description, indent=1)
        (new / DESCRIPTION).write_text(text + "\n", encoding="utf-8")
    return str(target)


def _write(new, parts, chosen, examples, model_name):
    """Write the files of a version, and return its description."""
    import tensorflow as tf

    from keras_seq2seq.export.description import describe_export
    from keras_seq2seq.export.graph import make_module
    from keras_seq2seq.export.graph_checks import check_graph
    from keras_seq2seq.export.smoke_test import run_smoke_test
    from keras_seq2seq.export.warmup import write_warmup

    module, functions = make_module(parts, chosen)
    run_smoke_test(chosen, functions, examples)
    tf.saved_model.save(module, str(new), signatures=functions)
    check_graph(new)
    (new / WARMUP).parent.mkdir(exist_ok=True)
    requests = [
        (name, signature.example([example]))
        for name, signature in chosen.items()
        for example in examples
    ]
    write_warmup(new / WARMUP, requests, model_name)
    shutil.copy(pathlib.Path(__file__).with_name(BATCHING), new / BATCHING)
    description = describe_export(parts, chosen, functions)
    return {**description, "warmup_requests": len(requests)}


def choose_source_length(task, wanted):
    """`wanted`, if the model has positions for it. By default, the most."""
    target_length = task.search.max_length
    if wanted is None:
        limit = task.model.max_source_length(target_length)
        wanted = MAX_SOURCE_LENGTH if limit is None else limit
        wanted = max(min(wanted, MAX_SOURCE_LENGTH), 1)
    check_dimension(wanted, "max_source_length")
    task.model.check_lengths(wanted, target_length)
    return wanted


def _check_backend():
    backend = keras.backend.backend()
    if backend != "tensorflow":
        raise RuntimeError(
            "A SavedModel must be made under the TensorFlow backend. Received: "
            f"backend={backend!r}. Call `task.export(folder)`, which starts a "
            "process with that backend."
        )


def _next_version(folder):
    folder = check_writable(check_plain(check_path(folder).absolute()))
    names = os.listdir(folder) if folder.exists() else []
    versions = [int(name) for name in names if name.isdecimal()]
    return folder / str(max(versions, default=0) + 1)
