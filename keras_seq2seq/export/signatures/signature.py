import abc

import numpy as np

from keras_seq2seq.search import Search
from keras_seq2seq.search.data_inputs import caller_inputs
from keras_seq2seq.tasks import ServedInput
from keras_seq2seq.utils import registry


class Signature(abc.ABC):
    """Abstract signature of a served model: from named tensors to others.

    A subclass describes its outputs in `output_meanings` and computes them in
    `call`. What that needs is prepared once, in `build`. The inputs are those
    of the sources of the task (`ServedSource`), and what the search asks for;
    every input and output has the batch as its first axis, and no row may
    depend on another. A signature with other inputs overrides `inputs` and
    `example`.

    `call` is traced by TensorFlow, so that it may use `keras.ops` and
    TensorFlow's own ops. The module itself should not import TensorFlow, since
    `task.export` is called under any backend.

    Register a signature with `keras.saving.register_keras_serializable`. Where
    the constructor takes more arguments, `get_config` must return them.

    Args:
        search: `Search`, its name or config. Defaults to `None`: the search of
            the task, with the `n_best` of the export.
        name: String, under which it is served: small letters, digits and
            underscores. Defaults to `None`: the name of the class in snake
            case, without `_signature`.
    """

    output_meanings = {}  # name -> description, for those who send requests

    def __init__(self, search=None, *, name=None):
        if search is not None:
            search = registry.get(search, Search, "search")
        self.search = search
        self.name = default_name(type(self)) if name is None else name

    def build(self, parts):
        """Prepare for `call`.

        Args:
            parts: `Parts` of the export.
        """
        self.parts = parts
        self.search = self.search or parts.search

    @abc.abstractmethod
    def call(self, inputs):
        """Dict of name -> tensor, the outputs.

        Args:
            inputs: Dict of name -> tensor, with at least one row.
        """

    @property
    def source_inputs(self):
        """Dict of name -> `ServedInput` of the sources."""
        return self.parts.source.inputs

    @property
    def search_inputs(self):
        """List of the `SearchInput` that a request holds for the search."""
        return caller_inputs(self.search)

    @property
    def inputs(self):
        """Dict of name -> `ServedInput` of all inputs."""
        asked = {x.name: _served(x) for x in self.search_inputs}
        return {**self.source_inputs, **asked}

    def read(self, inputs):
        """Inputs of an `InferenceModel`, and the lengths of the sources."""
        source, lengths = self.parts.source.read(inputs)
        return {**source, **self.read_search_inputs(inputs)}, lengths

    def read_search_inputs(self, inputs):
        """Dict of name -> tensor of what the search asks for."""
        import tensorflow as tf

        size = self.parts.vocabulary_size
        found = {}
        for x in self.search_inputs:
            value = inputs[x.name]
            if x.holds_token_ids:
                # One token too many is enough to see that it does not fit.
                value, _ = self.parts.target.encode(
                    value, self.search.max_length + 1
                )
            elif x.sizes() != x.sizes(size):
                value = tf.ensure_shape(value, x.sizes(size))
            found[x.name] = value
        return found

    def example(self, examples):
        """Dict of arrays: a request.

        Args:
            examples: List of examples of the `ServedSource`, one a row.
        """
        rows, size = len(examples), self.parts.vocabulary_size
        asked = {
            x.name: np.array([""] * rows, object)
            if x.holds_token_ids
            else x.neutral_rows(rows, size)
            for x in self.search_inputs
        }
        return {**self.source_example(examples), **asked}

    def source_example(self, examples):
        return self.parts.source.request(examples)

    def get_config(self):
        search = self.search and registry.config_of(self.search)
        return {"search": search, "name": self.name}

    @classmethod
    def from_config(cls, config):
        return cls(**config)


def default_name(cls):
    """The name in the registry of a class of signatures."""
    return registry.snake_case(cls.__name__).removesuffix("_signature")


def _served(x):
    """`ServedInput` of a `SearchInput`: texts instead of token ids."""
    if x.holds_token_ids:
        return ServedInput("string", meaning=x.meaning)
    return ServedInput(x.dtype, x.sizes()[1:], x.meaning)
