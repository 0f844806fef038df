"""The graph of an export: from requests to answers."""

import keras
import tensorflow as tf

from keras_seq2seq.export.rows import any_rows


def make_archive(parts, signatures):
    """`keras.export.ExportArchive`, and dict of name -> `tf.function`.

    Args:
        parts: `Parts`.
        signatures: Dict of name -> `Signature`, built.
    """
    # The archive keeps the variables that its functions use, each once. What
    # else they use has to be tracked.
    archive = keras.export.ExportArchive()
    tables = tf.Module(name="tables")
    tables.source, tables.target = parts.source.graph, parts.target
    archive.track(tables)
    functions = {
        name: archive.add_endpoint(
            name,
            any_rows(signature),
            input_signature=[_tensor_specs(signature.inputs)],
        )
        for name, signature in signatures.items()
    }
    return archive, functions


def _tensor_specs(inputs):
    return {
        name: tf.TensorSpec((None, *x.shape), x.dtype, name=name)
        for name, x in inputs.items()
    }
