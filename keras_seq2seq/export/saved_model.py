"""A task as one version of a served model."""

import json
import os
import pathlib
import shutil
import tempfile

import keras

from keras_seq2seq.export.examples import examples_of
from keras_seq2seq.export.searches import default_n_best
from keras_seq2seq.export.selection import selected
from keras_seq2seq.export.signatures.parts import Parts
from keras_seq2seq.utils.files import check_path
from keras_seq2seq.utils.files import check_plain
from keras_seq2seq.utils.files import check_writable
from keras_seq2seq.utils.files import whole_folder
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

    The graph goes from strings to strings, with core TensorFlow ops alone, as
    stock TensorFlow Serving wants it: weights, vocabularies and search are
    inside. Its answers are those of `task.generate`. Signatures, with the
    batch in front of every input and output:

    - `serving_default`: `text` to `text` and `score`, the best answer.
    - `n_best`: `text` to `texts`, `scores` and `lengths` `(batch, n_best)`,
      best first; `attention_scores` `(batch, n_best, longest target, longest
      source)`, zero after the end token and at padding; `source_lengths`.
      A place without an answer has the text `""`, the score -1e9 and the
      length 0.
    - `score`: `source` and `target` to `log_prob`, `token_log_probs`
      `(batch, longest target)`, and `target_lengths`, the end token counted.
    - `sample`: `text` and `seed` to `text` and `score`, drawn at random.
    - `token_ids`: `token_ids` `(batch, length)` and `lengths` to `token_ids`
      `(batch, n_best, max_length)`, `scores` and `lengths`.
    - `attention`, exported where `signatures` names it: as `n_best`, with
      `attention_scores` `(batch, n_best, layers, heads, longest target,
      longest source)`, and, of a model with self-attention,
      `encoder_attention_scores` `(batch, layers, heads, longest source,
      longest source)` and `decoder_attention_scores` `(batch, n_best, layers,
      heads, longest target, longest target)`.
    - one for each of `searches`: as `serving_default` where it gives one
      answer, as `n_best` where it gives several.

    Texts are strings, scores float32, the rest int32. Where a search asks for
    more, its signature has the inputs `seed`, int32, `prefix`, strings, or
    `banned_mask`, booleans `(batch, vocabulary size)`.

    Every text has a finite answer, the empty one too, and one row's never
    depends on another's. Bytes that are not UTF-8 read as U+FFFD. A source is
    cut after `max_source_length` tokens, which `task.generate` never does; a
    target to be scored after the search's `max_length`, the end token counted.
    A prefix longer than that has no answer; an unknown token of a prefix is
    forced as such.

    The folder appears whole or not at all, after every signature has answered
    some requests, and no version is ever replaced. Beside the model it holds
    `assets.extra/keras_seq2seq.json`, which tells what is in it,
    `assets.extra/tf_serving_warmup_requests`, which a server answers before
    it is ready, and `batching_params.pbtxt`, which is safe for these
    signatures.

    Runs under the TensorFlow backend, with no GPU in sight: kernels of a GPU
    would end up in the graph. `task.export` works everywhere, through a
    process of its own.

    Args:
        task: `TextToText` or `TextCompletion`, whose sources are texts.
        folder: Path of the folder that holds the versions.
        n_best: Integer. Hypotheses of the signature `n_best`. Defaults to
            `None`: the search's own number, or, where that is 1, up to five
            of its beams.
        max_source_length: Integer. Longest source in tokens. Defaults to
            `None`: 512, or as many as the model's positions allow.
        searches: Dict of signature name -> `Search`, its name or config.
            `sample` replaces the plain `Sampling` of that signature. Defaults
            to `None`.
        signatures: List of names, the only ones of those above to be
            exported; `serving_default` is always there. A server loads fewer
            faster. Defaults to `None`: all but `attention`.
        examples: List of strings, real sources to warm a server up with: one
            for each bucket of lengths is kept. Defaults to `None`: made from
            the vocabulary.
        replace_unknown: Boolean. Whether the source token that was attended
            to most, as it was written, takes the place of an unknown token in
            a text. Defaults to `False`.
        source: String, where the weights come from, for the description.

    Returns:
        Path of the version's folder, a string.
    """
    _check_backend()
    max_source_length = longest_source(task, max_source_length)
    n_best = default_n_best(task.search) if n_best is None else n_best
    search = task.search.with_n_best(n_best)
    if replace_unknown:
        task.source_words([])  # raises if there are none
    target = _next_version(folder)
    with (
        whole_folder(target) as new,
        tempfile.TemporaryDirectory(dir=new.parent) as scratch,
    ):
        parts = Parts.of(
            task,
            search,
            scratch,
            max_source_length=max_source_length,
            replace_unknown=replace_unknown,
        )
        chosen = selected(parts, signatures, searches)
        found = examples_of(parts.source, examples)
        description = _write(new, parts, chosen, found, target.parent.name)
        description["weights"]["source"] = source
        text = json.dumps(description, indent=1)
        (new / DESCRIPTION).write_text(text + "\n", encoding="utf-8")
    return str(target)


def _write(new, parts, chosen, examples, model_name):
    """Fill the folder of a version; give its description."""
    from keras_seq2seq.export.description import described
    from keras_seq2seq.export.graph import make_archive
    from keras_seq2seq.export.graph_checks import check_graph
    from keras_seq2seq.export.smoke_test import run_smoke_test
    from keras_seq2seq.export.warmup import write_warmup

    archive, functions = make_archive(parts, chosen)
    run_smoke_test(chosen, functions, examples)
    archive.write_out(str(new), verbose=False)
    check_graph(new)
    (new / WARMUP).parent.mkdir(exist_ok=True)
    requests = [
        (name, signature.example([example]))
        for name, signature in chosen.items()
        for example in examples
    ]
    write_warmup(new / WARMUP, requests, model_name)
    shutil.copy(pathlib.Path(__file__).with_name(BATCHING), new / BATCHING)
    description = described(parts, chosen, functions)
    return {**description, "warmup_requests": len(requests)}


def longest_source(task, wanted):
    """`wanted`, if the model has positions for it; or the most it has."""
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
