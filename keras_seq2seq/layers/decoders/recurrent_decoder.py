import keras
from keras import ops

from keras_seq2seq.layers.bridges.bridge import Bridge
from keras_seq2seq.layers.cells.decoder_cell import DecoderCell
from keras_seq2seq.layers.decoders.bound_cell import BoundCell
from keras_seq2seq.layers.decoders.decoder import Decoder
from keras_seq2seq.layers.decoders.drawn_dropout import drawn_dropout
from keras_seq2seq.layers.decoders.record_states import record_states
from keras_seq2seq.layers.decoders.recurrence import Recurrence
from keras_seq2seq.ops import without_mask
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.axes import check_memory
from keras_seq2seq.utils.checks import check_rate
from keras_seq2seq.utils.checks import check_type


@keras.saving.register_keras_serializable("keras_seq2seq")
class RecurrentDecoder(Decoder):
    """Recurrent decoder: a bridge, and a decoder cell over the target.

    The cell runs over the whole target in one loop, and token by token in a
    search. Where nothing of the attention feeds back into the cell, the loop is
    one Keras layer and the attention of all steps one product. Padding at the
    end of a target needs no mask here: the weights of the loss do that. The
    mask of the inputs is passed on.

    Args:
        cell: A `DecoderCell`, such as
            `BahdanauCell(keras.layers.GRUCell(256))`, or its config.
        bridge: Name, config or instance of a `Bridge`. Defaults to `"dense"`.
        dropout: Float in `[0, 1)`. Dropout on the inputs. Defaults to `0.0`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, target_length, dim)`.
        memory: Float tensor of shape `(batch_size, Tv, value_dim)`, or several,
            nested, and so `memory_mask`, for a cell that reads them so.
        encoder_states: Nested float tensors, the encoder's final states.
        memory_mask: Boolean tensor of shape `(batch_size, Tv)`, `True` at real
            positions, or `None`.
        training: Boolean.
        return_attention_scores: Boolean.

    Returns:
        Float tensor of shape `(batch_size, target_length, output_size)`; then
        attention scores of shape `(batch_size, target_length, Tv)` where they
        were asked for.

    Example:

    >>> cell = k2s.layers.BahdanauCell(keras.layers.GRUCell(8))
    >>> decoder = k2s.layers.RecurrentDecoder(cell, bridge="dense")
    >>> states = {"forward": [np.ones((2, 6))]}
    >>> outputs = decoder(np.ones((2, 3, 4)), np.ones((2, 5, 6)), states)
    >>> tuple(outputs.shape)
    (2, 3, 14)

    References:
        - [Bahdanau et al., 2015](https://arxiv.org/abs/1409.0473), A.2.2
    """

    def __init__(self, cell, bridge="dense", *, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True
        self.cell = check_type(registry.object_of(cell), "cell", DecoderCell)
        self.bridge = registry.get(
            bridge, Bridge, "bridge", dtype=self.dtype_policy.name
        )
        self.recurrence = (
            None if self.cell.feeds_back else Recurrence(self.cell.cell)
        )
        self.dropout = check_rate(dropout, "dropout")
        self.dropout_layer = keras.layers.Dropout(
            dropout, dtype=self.dtype_policy, name="dropout"
        )

    def build(self, inputs_shape, memory_shape, encoder_states_shape=None):
        if not self.cell.built:
            step_shape = (inputs_shape[0], inputs_shape[-1])
            shapes = {"value": memory_shape}
            if encoder_states_shape:
                shapes["encoder_states"] = encoder_states_shape
            self.cell.build(step_shape, shapes)
        if not self.bridge.built:
            size = self.cell.state_size["cell"]
            self.bridge.num_layers = self.cell.num_layers
            # Keras leaves out the shapes of an empty dict.
            self.bridge.build(encoder_states_shape or {}, size, memory_shape)

    def initialize(
        self,
        memory,
        encoder_states,
        memory_mask=None,
        max_length=None,
        num_beams=1,
        training=False,
        by_layer=False,
    ):
        check_memory(memory, memory_mask)
        rows = ops.shape(keras.tree.flatten(memory)[0])[0]
        cache = self.cell.prepare_memory(memory, memory_mask, encoder_states)
        states = self.cell.get_initial_state(rows, cache)
        states["cell"] = self.bridge(
            encoder_states, memory, memory_mask=memory_mask
        )
        return cache, states

    def step(self, inputs, states, cache, index, training=False):
        outputs, states, scores = self.cell(
            without_mask(inputs), states, cache, training=training
        )
        return outputs, states, cache, scores

    def decode_sequence(
        self,
        inputs,
        states,
        cache,
        training=False,
        return_attention_scores=False,
    ):
        inputs = without_mask(self.dropout_layer(inputs, training=training))
        noise = None
        if training:
            noise = self.cell.draw_noise(cache, ops.shape(inputs)[1])
        if self.recurrence is None:
            return self._loop(
                inputs, states, cache, noise, training, return_attention_scores
            )
        x, states, passed = self.cell.cell_inputs(
            inputs, states, cache, noise, training
        )
        outputs, _ = self.recurrence(x, states["cell"], training)
        outputs, _, scores = self.cell.cell_outputs(
            outputs, states, passed, cache, noise, training
        )
        return (outputs, scores) if return_attention_scores else outputs

    def _loop(self, inputs, states, cache, noise, training, with_scores):
        begin = inputs.shape[-1]
        bound = BoundCell(
            self.cell,
            cache,
            states,
            noise_from=None if noise is None else begin,
            training=training,
            return_attention_scores=with_scores,
        )
        if noise is not None:
            inputs = ops.concatenate([inputs, noise], axis=-1)
        loop = keras.layers.RNN(bound, return_sequences=True)
        first = bound.get_initial_state()
        with drawn_dropout(self.cell) as drawing:
            if training and drawing:
                bound(inputs[:, 0], first)
            outputs = loop(inputs, initial_state=first)
        size = self.cell.output_size
        return (
            (outputs[..., :size], outputs[..., size:])
            if with_scores
            else outputs
        )

    def decode_states(self, inputs, states, cache):
        return record_states(self, inputs, states, cache)

    def compute_output_shape(
        self, inputs_shape, memory_shape=None, encoder_states_shape=None
    ):
        return (*inputs_shape[:-1], self.cell.output_size)

    def get_config(self):
        serialize = keras.saving.serialize_keras_object
        return {
            **super().get_config(),
            "cell": serialize(self.cell),
            "bridge": serialize(self.bridge),
            "dropout": self.dropout,
        }
