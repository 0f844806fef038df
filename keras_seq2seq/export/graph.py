"""The TensorFlow graph of an export."""

import tensorflow as tf

from keras_seq2seq.export.rows import accept_any_rows


def make_module(parts, signatures):
    """Trace all signatures, each once.

    `keras.export.ExportArchive` would trace them again to save them.

    Args:
        parts: `Parts`.
        signatures: Dict of name -> `Signature`, built.

    Returns:
        `tf.Module` that tracks what the signatures use, and a dict of name ->
        concrete function.
    """
    functions = {
        name: tf.function(
            accept_any_rows(signature), autograph=False
        ).get_concrete_function(_tensor_specs(signature.inputs))
        for name, signature in signatures.items()
    }
    module = tf.Module()
    module.source_tables, module.target_tables = (
        parts.source.graph,
        parts.target,
    )
    used = {id(x): x for f in functions.values() for x in f.variables}
    module.weights = list(used.values())
    return module, functions


def _tensor_specs(inputs):
    return {
        name: tf.TensorSpec((None, *x.shape), x.dtype, name=name)
        for name, x in inputs.items()
    }
