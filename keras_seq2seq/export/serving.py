"""The graph from strings to strings."""

import os

import keras
import tensorflow as tf

from keras_seq2seq.models import InferenceModel

INPUTS = {
    "text": tf.TensorSpec([None], tf.string, name="text"),
    "prefix": tf.TensorSpec([None], tf.string, name="prefix"),
    "seed": tf.TensorSpec([None], tf.int32, name="seed"),
    "banned_mask": tf.TensorSpec([None, None], tf.bool, name="banned_mask"),
}


def write_graph(task, search, folder, *, table_folder, max_source_length):
    """Write a SavedModel with both signatures.

    Args:
        task: `TextToText`.
        search: `Search`, with the `n_best` of the signature `n_best`.
        folder: Path of an empty folder.
        table_folder: Path of a scratch folder for the tables.
        max_source_length: Integer.

    Returns:
        Dicts of signature -> dict of name -> `tf.TensorSpec`, one of the
        inputs and one of the outputs.
    """
    names = ["text", *search.input_names]
    specs = {name: INPUTS[name] for name in names if name in INPUTS}
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
            name, _for_any_rows(function), input_signature=[specs]
        )
        outputs[name] = added.get_concrete_function().structured_outputs
    archive.write_out(str(folder), verbose=False)
    return dict.fromkeys(functions, specs), outputs


def _tables(task, folder):
    """`tf.Module` with the graphs of both tokenizers."""
    tables = tf.Module(name="tables")
    sides = {"source": task.source_tokenizer, "target": task.target_tokenizer}
    for side, tokenizer in sides.items():
        setattr(tables, side, tokenizer.graph(os.path.join(folder, side)))
    return tables


def _best(task, search, tables, max_source_length):
    """Function of the signature `serving_default`."""
    inference = _inference(task, search.with_n_best(1))

    def best(inputs):
        inputs, _ = _encoded(task, search, tables, inputs, max_source_length)
        found = inference(inputs)
        return {
            "text": tables.target.decode(found["token_ids"][:, 0]),
            "score": found["scores"][:, 0],
        }

    return best


def _n_best(task, search, tables, max_source_length):
    """Function of the signature `n_best`."""
    inference = _inference(task, search)

    def n_best(inputs):
        inputs, lengths = _encoded(
            task, search, tables, inputs, max_source_length
        )
        found, begun = inference.find(inputs)
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


def _encoded(task, search, tables, inputs, max_source_length):
    """The inputs of an `InferenceModel`, and the lengths of the sources."""
    inputs = dict(inputs)
    source, lengths = tables.source.encode(
        inputs.pop("text"), max_source_length
    )
    inputs[task.model.source_name] = source
    if "prefix" in inputs:
        inputs["prefix"], _ = tables.target.encode(
            inputs["prefix"], search.max_length
        )
    return inputs, lengths


def _inference(task, search):
    vocabulary = task.target_tokenizer.vocabulary
    return InferenceModel(
        task.model,
        search,
        start_token_id=vocabulary.start_token_id,
        end_token_id=vocabulary.end_token_id,
    )


def _for_any_rows(function):
    """`function` of one row at least, for any number of rows."""

    def with_any_rows(inputs):
        rows = tf.shape(inputs["text"])[0]
        missing = tf.maximum(1 - rows, 0)
        found = function(
            {name: _with_rows(x, missing) for name, x in inputs.items()}
        )
        return {name: x[:rows] for name, x in found.items()}

    return with_any_rows


def _with_rows(x, missing):
    """`x` and `missing` rows more, of `""` or 0."""
    shape = tf.concat([[missing], tf.shape(x)[1:]], axis=0)
    return tf.concat([x, tf.zeros(shape, x.dtype)], axis=0)
