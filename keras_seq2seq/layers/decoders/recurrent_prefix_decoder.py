import keras
from keras import ops

from keras_seq2seq.layers.cells.decoder_cell import no_scores
from keras_seq2seq.layers.decoders.decoder import Decoder
from keras_seq2seq.layers.decoders.prefix_decoder import check_widths
from keras_seq2seq.layers.decoders.record_states import record_states
from keras_seq2seq.layers.decoders.recurrence import Recurrence
from keras_seq2seq.layers.recurrent.keras_cell import step
from keras_seq2seq.layers.recurrent.keras_cell import width_of
from keras_seq2seq.ops import without_mask
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.axes import check_memory
from keras_seq2seq.utils.checks import check_rate
from keras_seq2seq.utils.structures import plain


@keras.saving.register_keras_serializable("keras_seq2seq")
class RecurrentPrefixDecoder(Decoder):
    """One recurrent cell for source and target: a decoder without an encoder.

    Source and target are one sequence, `x_1 .. x_n [start] y_1 .. y_m`, with
    the start token between them, and go through the same cell; only the target
    is predicted. The source is read once; the states after its last
    real token are the first ones of the target. The encoder in front is
    `IdentityEncoder`; `tie_weights="all"` gives both sides one table. There is
    no attention, and the attention scores are zeros.

    Args:
        cell: A Keras cell, such as `keras.layers.LSTMCell(256)` or
            `keras.layers.StackedRNNCells`.
        dropout: Float in `[0, 1)`. Dropout on the inputs. Defaults to `0.0`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, target_length, dim)`.
        memory: Float tensor of shape `(batch_size, Tv, dim)`, the source.
        encoder_states: Not used.
        memory_mask: Boolean tensor of shape `(batch_size, Tv)`, `True` at real
            positions, or `None`.
        training: Boolean.

    Returns:
        Float tensor of shape `(batch_size, target_length, units)`.

    Example:

    >>> decoder = k2s.layers.RecurrentPrefixDecoder(keras.layers.GRUCell(8))
    >>> outputs = decoder(np.ones((2, 3, 4)), np.ones((2, 5, 4)))
    >>> tuple(outputs.shape)
    (2, 3, 8)

    References:
        - [Mikolov et al., 2010](https://www.isca-archive.org/interspeech_2010/mikolov10_interspeech.html)
    """

    def __init__(self, cell, *, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.supports_masking = True
        self.cell = registry.object_of(cell)
        if not hasattr(self.cell, "state_size"):
            raise ValueError(
                "`cell` must be a Keras cell, such as "
                f"`keras.layers.GRUCell(256)`. Received: cell={cell!r}"
            )
        self.recurrence = Recurrence(self.cell)
        self.dropout = check_rate(dropout, "dropout")
        self.dropout_layer = keras.layers.Dropout(
            dropout, dtype=self.dtype_policy, name="dropout"
        )

    def build(self, inputs_shape, memory_shape, encoder_states_shape=None):
        check_widths(inputs_shape, memory_shape)
        if not self.cell.built:
            self.cell.build((None, inputs_shape[-1]))

    def initialize(
        self,
        memory,
        encoder_states=None,
        memory_mask=None,
        max_length=None,
        num_beams=1,
        training=False,
        by_layer=False,
    ):
        check_memory(memory, memory_mask)
        rows = ops.shape(memory)[0]
        first = keras.tree.map_structure(
            lambda size: ops.zeros((rows, size), self.compute_dtype),
            plain(self.cell.state_size),
        )
        memory = without_mask(self.dropout_layer(memory, training=training))
        _, states = self.recurrence(memory, first, training, memory_mask)
        return {"value": memory}, {"cell": states}

    def step(self, inputs, states, cache, index, training=False):
        outputs, states = step(
            self.cell, without_mask(inputs), states["cell"], training
        )
        scores = no_scores(outputs, cache)
        return outputs, {"cell": states}, cache, scores

    def decode_sequence(
        self,
        inputs,
        states,
        cache,
        training=False,
        return_attention_scores=False,
    ):
        inputs = without_mask(self.dropout_layer(inputs, training=training))
        outputs, _ = self.recurrence(inputs, states["cell"], training)
        if not return_attention_scores:
            return outputs
        return outputs, no_scores(outputs, cache)

    def decode_states(self, inputs, states, cache):
        return record_states(self, inputs, states, cache)

    def compute_output_shape(
        self, inputs_shape, memory_shape=None, encoder_states_shape=None
    ):
        return (*inputs_shape[:-1], width_of(self.cell))

    def get_config(self):
        return {
            **super().get_config(),
            "cell": keras.saving.serialize_keras_object(self.cell),
            "dropout": self.dropout,
        }
