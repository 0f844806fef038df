"""Signatures for any number of rows, none included."""

import tensorflow as tf


def accept_any_rows(signature):
    """Function of a dict of tensors, for any number of rows.

    A server may send an empty batch when it loads a model. `signature.call`
    then gets one row of `""` and 0, which is left out of the outputs. Inputs
    with different numbers of rows are an error, before anything is computed.
    """

    def function(inputs):
        inputs = _with_equal_rows(inputs)
        first, *_ = inputs.values()
        rows = tf.shape(first)[0]
        missing = tf.maximum(1 - rows, 0)
        outputs = signature.call(
            {name: _padded(x, missing) for name, x in inputs.items()}
        )
        return {name: x[:rows] for name, x in outputs.items()}

    return function


def _with_equal_rows(inputs):
    """The inputs, after the check that they have as many rows."""
    rows = {name: tf.shape(x)[0] for name, x in inputs.items()}
    counts = tf.stack([*rows.values()])
    received = tf.strings.reduce_join(
        [
            tf.strings.join([f"{name} of ", tf.strings.as_string(n), " rows"])
            for name, n in rows.items()
        ],
        separator=", ",
    )
    message = tf.strings.join(
        [
            "All inputs of a request must have the same number of rows, one "
            "for each source. Received: ",
            received,
        ]
    )
    equal = tf.reduce_all(tf.equal(counts, counts[0]))
    with tf.control_dependencies([tf.debugging.Assert(equal, [message])]):
        return {name: tf.identity(x) for name, x in inputs.items()}


def _padded(x, missing):
    """`x` with so many rows more, of `""` or 0."""
    shape = tf.concat([[missing], tf.shape(x)[1:]], axis=0)
    return tf.concat([x, tf.zeros(shape, x.dtype)], axis=0)
