import math

import keras

from keras_seq2seq.layers.encoders import self_attention
from keras_seq2seq.layers.encoders.encoder import Encoder
from keras_seq2seq.layers.encoders.memory_mask import memory_mask_of
from keras_seq2seq.layers.recurrent.final_states import layers_of
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.axes import check_source
from keras_seq2seq.utils.checks import check_rate
from keras_seq2seq.utils.checks import check_type


class EncoderStack(Encoder):
    """Abstract stack of encoders: each reads the memory of the one below.

    A subclass may change the input of each encoder with `enter`, `enter_mask`,
    `enter_shape` and `enter_stride`, and its output with `leave`.

    Args:
        encoders: List of encoders or their configs, from the bottom up. An
            encoder's memory mask must depend on its input mask only.
        dropout: Float in `[0, 1)`. Dropout on the input of each encoder and on
            the memory. Defaults to `0.0`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, source_length, dim)`.
        mask: Boolean tensor of shape `(batch_size, source_length)`, `True` at
            real steps.
        training: Boolean.
        return_attention_scores: Boolean.

    Returns:
        Memory of the top encoder, and a dict of direction -> final states, a
        list with the states of each layer, from the bottom up. With
        `return_attention_scores`, also a dict of layer -> attention scores, for
        the encoders with self-attention.
    """

    enter_stride = 1

    def __init__(self, encoders, *, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.encoders = _check_encoders(encoders)
        self.dropout = check_rate(dropout, "dropout")
        self.dropout_layer = keras.layers.Dropout(
            dropout, dtype=self.dtype_policy, name="dropout"
        )

    def enter(self, inputs, mask):
        """Compute an encoder's inputs from the memory below."""
        return inputs

    def enter_mask(self, mask):
        """Compute the mask of an encoder's inputs; `mask` is not `None`."""
        return mask

    def enter_shape(self, shape):
        """Compute the shape of an encoder's inputs."""
        return shape

    def leave(self, index, inputs, memory):
        """Compute the output of the encoder at `index`."""
        return memory

    def build(self, inputs_shape):
        shape = inputs_shape
        for encoder in self.encoders:
            shape = self.enter_shape(shape)
            if not encoder.built:
                encoder.build(shape)
            shape, _ = encoder.compute_output_shape(shape)

    @property
    def has_self_attention(self):
        return any(encoder.has_self_attention for encoder in self.encoders)

    @property
    def stride(self):
        return math.prod(e.stride * self.enter_stride for e in self.encoders)

    @property
    def max_length(self):
        stride, limits = 1, []
        for encoder in self.encoders:
            stride *= self.enter_stride
            if encoder.max_length is not None:
                limits.append(encoder.max_length * stride)
            stride *= encoder.stride
        return min(limits, default=None)

    def call(
        self, inputs, mask=None, training=False, return_attention_scores=False
    ):
        check_source(inputs, mask)
        memory, all_states, all_scores = inputs, [], []
        for index, encoder in enumerate(self.encoders):
            below = memory
            memory = self.dropout_layer(memory, training=training)
            memory = self.enter(memory, mask)
            if mask is not None:
                mask = self.enter_mask(mask)
            memory, states, scores = self_attention.run(
                encoder,
                memory,
                return_attention_scores,
                mask=mask,
                training=training,
            )
            memory = self.leave(index, below, memory)
            mask = memory_mask_of(encoder, None, mask)
            all_states.append(states)
            all_scores.append(scores)
        memory = self.dropout_layer(memory, training=training)
        states = _by_direction(all_states)
        if return_attention_scores:
            return memory, states, self_attention.merge(all_scores)
        return memory, states

    def compute_output_shape(self, inputs_shape):
        shape, all_states = inputs_shape, []
        for encoder in self.encoders:
            shape = self.enter_shape(shape)
            shape, states = encoder.compute_output_shape(shape)
            all_states.append(states)
        return shape, _by_direction(all_states)

    def compute_memory_mask(self, inputs, mask=None):
        for encoder in self.encoders:
            if mask is not None:
                mask = self.enter_mask(mask)
            mask = memory_mask_of(encoder, None, mask)
        return mask

    def get_config(self):
        serialize = keras.saving.serialize_keras_object
        return {
            **super().get_config(),
            "encoders": [serialize(encoder) for encoder in self.encoders],
            "dropout": self.dropout,
        }


def _check_encoders(encoders):
    if not isinstance(encoders, (list, tuple)) or not encoders:
        raise ValueError(
            "`encoders` must be a list of at least one encoder. "
            f"Received: encoders={encoders!r}"
        )
    encoders = [registry.object_of(encoder) for encoder in encoders]
    for encoder in encoders:
        check_type(encoder, "encoders", Encoder)
    if len({id(encoder) for encoder in encoders}) < len(encoders):
        raise ValueError(
            "`encoders` must be different objects. Received: "
            f"{len(encoders)} encoders, some of them the same. Create each "
            "one separately."
        )
    return encoders


def _by_direction(all_states):
    """Merge dicts of lists: concatenate the lists of each name."""
    merged = {}
    for states in all_states:
        for name, entries in states.items():
            merged[name] = [*merged.get(name, []), *layers_of(entries)]
    return merged
