"""The graph from strings to strings."""

import os

import keras
import tensorflow as tf

from keras_seq2seq.models import InferenceModel

TEXT = tf.TensorSpec([None], tf.string, name="text")


def write_graph(task, search, folder, *, table_folder, max_source_length):
    """Write a SavedModel with both signatures.

    Args:
        task: `TextToText`.
        search: `Search`, with the `n_best` of the signature `n_best`.
        folder: Path of an empty folder.
        table_folder: Path of a scratch folder for the tables.
        max_source_length: Integer.

    Returns:
        Dict of signature -> dict of output -> `tf.TensorSpec`.
    """
    tables = _tables(task, table_folder)
    functions = {
        "serving_default": _best(task, search, tables, max_source_length),
        "n_best": _n_best(task, search, tables, max_source_length),
    }
    # The archive keeps the variables that its functions use, each once. What
    # else they use it must be told of.
    archive = keras.export.ExportArchive()
    archive.track(tables)
    outputs = {}
    for name, function in functions.items():
        added = archive.add_endpoint(
            name, _for_any_rows(function), input_signature=[TEXT]
        )
        outputs[name] = added.get_concrete_function().structured_outputs
    archive.write_out(str(folder), verbose=False)
    return outputs


def _tables(task, folder):
    """`tf.Module` with the graphs of both tokenizers."""
    tables = tf.Module(name="tables")
    sides = {"source": task.source_tokenizer, "target": task.target_tokenizer}
    for side, tokenizer in sides.items():
        setattr(tables, side, tokenizer.graph(os.path.join(folder, side)))
    return tables


def _best(task, search, tables, max_source_length):
    """Function of the signature `serving_default`."""
    if search.n_best > 1:
        search = search.replace(n_best=1)
    inference = _inference(task, search)

    def best(text):
        token_ids, _ = tables.source.encode(text, max_source_length)
        found = inference(token_ids)
        return {
            "text": tables.target.decode(found["token_ids"][:, 0]),
            "score": found["scores"][:, 0],
        }

    return best


def _n_best(task, search, tables, max_source_length):
    """Function of the signature `n_best`."""
    inference = _inference(task, search)

    def n_best(text):
        token_ids, lengths = tables.source.encode(text, max_source_length)
        found, begun = inference.find(token_ids)
        longest = tf.maximum(tf.reduce_max(found["lengths"]), 1)
        found["token_ids"] = found["token_ids"][:, :, :longest]
        return {
            "texts": tables.target.decode(found["token_ids"]),
            "scores": found["scores"],
            "lengths": found["lengths"],
            "attention_scores": inference.attention(found, begun),
            "source_lengths": lengths,
        }

    return n_best


def _inference(task, search):
    vocabulary = task.target_tokenizer.vocabulary
    return InferenceModel(
        task.model,
        search,
        start_token_id=vocabulary.start_token_id,
        end_token_id=vocabulary.end_token_id,
    )


def _for_any_rows(function):
    """`function` of one text at least, for any number of texts."""

    def with_any_rows(text):
        rows = tf.shape(text)[0]
        missing = tf.maximum(1 - rows, 0)
        text = tf.concat([text, tf.fill([missing], "")], axis=0)
        return {name: x[:rows] for name, x in function(text).items()}

    return with_any_rows
