"""The TensorFlow graph of an export."""

import keras
import tensorflow as tf

from keras_seq2seq.export.rows import accept_any_rows


def make_archive(parts, signatures):
    """Trace all signatures.

    Args:
        parts: `Parts`.
        signatures: Dict of name -> `Signature`, built.

    Returns:
        `keras.export.ExportArchive`, and a dict of name -> `tf.function`.
    """
    # The archive saves the variables that its functions use, each once. The
    # tables they use have to be tracked.
    archive = keras.export.ExportArchive()
    tables = tf.Module(name="tables")
    tables.source, tables.target = parts.source.graph, parts.target
    archive.track(tables)
    functions = {
        name: archive.add_endpoint(
            name,
            accept_any_rows(signature),
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
