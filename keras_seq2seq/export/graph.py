"""The graph from strings to strings."""

import os

import keras
import tensorflow as tf

from keras_seq2seq.export import signatures
from keras_seq2seq.export.searches import SAMPLE
from keras_seq2seq.export.searches import default_sampling
from keras_seq2seq.export.signatures.parts import Parts


def make_signatures(task, search, searches, *, table_folder, **options):
    """Dict of name -> `Signature`.

    Args:
        task: Task whose sources are texts.
        search: `Search`, with the `n_best` of the signature `n_best`.
        searches: Dict of name -> `Search`, for more signatures.
        table_folder: Path of a scratch folder for the tables.
        **options: The rest of `Parts`.
    """
    parts = Parts(task, _tables(task, table_folder), **options)
    searches = {SAMPLE: default_sampling(task.search), **searches}
    return {
        "serving_default": signatures.Best(parts, task.search),
        "n_best": signatures.NBest(parts, search),
        "score": signatures.Score(parts, search),
        "token_ids": signatures.TokenIds(parts, search),
        "attention": signatures.Attention(parts, search),
        **{name: _of_search(parts, x) for name, x in searches.items()},
    }


def make_archive(served):
    """`keras.export.ExportArchive`, and dict of name -> `tf.function`.

    Args:
        served: Dict of name -> `Signature`.
    """
    # The archive keeps the variables that its functions use, each once. What
    # else they use it must be told of.
    archive = keras.export.ExportArchive()
    archive.track(next(iter(served.values())).parts.tables)
    functions = {
        name: archive.add_endpoint(
            name, signature.any_rows, input_signature=[signature.specs]
        )
        for name, signature in served.items()
    }
    return archive, functions


def _of_search(parts, search):
    """The signature of one more search: its best answer, or its n-best."""
    if search.n_best == 1:
        return signatures.Best(parts, search)
    return signatures.NBest(parts, search)


def _tables(task, folder):
    """`tf.Module` with the graphs of both tokenizers."""
    tables = tf.Module(name="tables")
    sides = {"source": task.source_tokenizer, "target": task.target_tokenizer}
    for side, tokenizer in sides.items():
        setattr(tables, side, tokenizer.graph(os.path.join(folder, side)))
    return tables
