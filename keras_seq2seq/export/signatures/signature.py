import abc

import numpy as np
import tensorflow as tf

# What a search may ask for, and what it means.
INPUTS = {
    "prefix": tf.TensorSpec([None], tf.string, name="prefix"),
    "seed": tf.TensorSpec([None], tf.int32, name="seed"),
    "banned_mask": tf.TensorSpec([None, None], tf.bool, name="banned_mask"),
}
SEARCH_MEANINGS = {
    "prefix": "what the answers begin with; '' for nothing",
    "seed": "the same seed gives the same samples",
    "banned_mask": "(batch, vocabulary size), true at banned tokens",
}


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
        """Names of the inputs that the search asks for."""
        return [name for name in self.search.input_names if name in INPUTS]

    @property
    def specs(self):
        """Dict of `tf.TensorSpec` of all inputs."""
        asked = {name: INPUTS[name] for name in self.asked}
        return {**self.source_specs, **asked}

    @property
    def input_meanings(self):
        asked = {name: SEARCH_MEANINGS[name] for name in self.asked}
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
        return {**self._sources(texts), **self._asked_example(len(texts))}

    def _sources(self, texts):
        return {"text": np.array(texts, object)}

    def _asked_example(self, rows):
        tokenizer = self.parts.task.target_tokenizer
        examples = {
            "prefix": np.array([""] * rows, object),
            "seed": np.arange(rows, dtype="int32"),
            "banned_mask": np.zeros((rows, len(tokenizer.vocabulary)), "bool"),
        }
        return {name: examples[name] for name in self.asked}

    def encoded(self, inputs):
        """Inputs of an `InferenceModel`, and the lengths of the sources."""
        inputs = dict(inputs)
        source, lengths = self.parts.tables.source.encode(
            inputs.pop("text"), self.parts.max_source_length
        )
        return self._with_source(inputs, source), lengths

    def _with_source(self, inputs, source):
        inputs = {**inputs, self.parts.task.model.source.input_name: source}
        if "banned_mask" in inputs:
            size = len(self.parts.task.target_tokenizer.vocabulary)
            inputs["banned_mask"] = tf.ensure_shape(
                inputs["banned_mask"], [None, size]
            )
        if "prefix" in inputs:
            # One token too many is enough to see that a prefix does not fit.
            inputs["prefix"], _ = self.parts.tables.target.encode(
                inputs["prefix"], self.search.max_length + 1
            )
        return inputs


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
