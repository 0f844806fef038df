import abc

import numpy as np
import tensorflow as tf

from keras_seq2seq.search.data_inputs import caller_inputs


class Signature(abc.ABC):
    """Abstract signature of a served model.

    A function of a dict of tensors with the batch in front, of one row at
    least, that gives another. `any_rows` makes it one of any number of rows,
    as a server's first batch may be empty.

    Args:
        parts: `Parts`.
        search: `Search`.
    """

    source_specs = {"text": tf.TensorSpec([None], tf.string, name="text")}
    source_meanings = {"text": "UTF-8; invalid bytes read as U+FFFD"}
    output_meanings = {}

    def __init__(self, parts, search):
        self.parts = parts
        self.search = search

    @abc.abstractmethod
    def __call__(self, inputs):
        """Dict of the outputs."""

    @property
    def asked(self):
        """List of the `SearchInput` that the search asks a caller for."""
        return caller_inputs(self.search)

    @property
    def specs(self):
        """Dict of `tf.TensorSpec` of all inputs."""
        return {**self.source_specs, **{x.name: _spec(x) for x in self.asked}}

    @property
    def input_meanings(self):
        asked = {x.name: x.meaning for x in self.asked}
        return {**self.source_meanings, **asked}

    def any_rows(self, inputs):
        """The function, for no rows too."""
        inputs = _of_equal_rows(inputs)
        first, *_ = inputs.values()
        rows = tf.shape(first)[0]
        missing = tf.maximum(1 - rows, 0)
        found = self(
            {name: _with_rows(x, missing) for name, x in inputs.items()}
        )
        return {name: x[:rows] for name, x in found.items()}

    def example(self, texts):
        """Dict of arrays: a request that asks for some texts."""
        rows, size = len(texts), self._vocabulary_size
        asked = {
            x.name: np.array([""] * rows, object)
            if x.holds_token_ids
            else x.neutral_rows(rows, size)
            for x in self.asked
        }
        return {**self._sources(texts), **asked}

    def _sources(self, texts):
        return {"text": np.array(texts, object)}

    @property
    def _vocabulary_size(self):
        return len(self.parts.task.target_tokenizer.vocabulary)

    def encoded(self, inputs):
        """Inputs of an `InferenceModel`, and the lengths of the sources."""
        inputs = dict(inputs)
        source, lengths = self.parts.tables.source.encode(
            inputs.pop("text"), self.parts.max_source_length
        )
        return self._with_source(inputs, source), lengths

    def _with_source(self, inputs, source):
        inputs = {**inputs, self.parts.task.model.source.input_name: source}
        for x in self.asked:
            value = inputs[x.name]
            if x.holds_token_ids:
                # One token too many is enough to see that it does not fit.
                inputs[x.name], _ = self.parts.tables.target.encode(
                    value, self.search.max_length + 1
                )
            elif x.sizes() != x.sizes(self._vocabulary_size):
                inputs[x.name] = tf.ensure_shape(
                    value, x.sizes(self._vocabulary_size)
                )
        return inputs


def _spec(entry):
    """`tf.TensorSpec` of a `SearchInput`: texts in the place of token ids."""
    if entry.holds_token_ids:
        return tf.TensorSpec([None], tf.string, name=entry.name)
    return tf.TensorSpec(entry.sizes(), entry.dtype, name=entry.name)


def _of_equal_rows(inputs):
    """The inputs; an error of the graph where their rows differ in number.

    Nothing else of the graph runs before.
    """
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
            "All inputs of a request must have the same number of rows, one a "
            "source. Received: ",
            received,
        ]
    )
    equal = tf.reduce_all(tf.equal(counts, counts[0]))
    with tf.control_dependencies([tf.debugging.Assert(equal, [message])]):
        return {name: tf.identity(x) for name, x in inputs.items()}


def _with_rows(x, missing):
    """`x` and `missing` rows more, of `""` or 0."""
    shape = tf.concat([[missing], tf.shape(x)[1:]], axis=0)
    return tf.concat([x, tf.zeros(shape, x.dtype)], axis=0)
