import keras
from keras import ops

from keras_seq2seq.layers.decoders.decoder import Decoder
from keras_seq2seq.layers.decoders.one_sequence import check_widths
from keras_seq2seq.layers.transformer.cache import check_states
from keras_seq2seq.layers.transformer.cache import first_states
from keras_seq2seq.layers.transformer.cache import up_to_now
from keras_seq2seq.layers.transformer.transformer_stack import TransformerStack
from keras_seq2seq.layers.transformer.transformer_stack import of_real
from keras_seq2seq.ops import by_row
from keras_seq2seq.utils.axes import check_memory


@keras.saving.register_keras_serializable("keras_seq2seq")
class PrefixDecoder(TransformerStack, Decoder):
    """One Transformer for source and target: a decoder without an encoder.

    Source and target are one sequence, `x_1 .. x_n [start] y_1 .. y_m`, with
    the start token between them, and go through the same blocks; only the
    target is predicted. `begin` reads the source, once: its keys and values
    are the memory, never copied for the beams. Positions run on from the
    source's last real token. The encoder in front is `IdentityEncoder`;
    `tie_weights="all"` gives both sides one table.

    Attention scores are those of the last block's heads on the source, as
    shares: the rest, which looks at the target, is left out. By layer, nothing
    is left out: what goes to the source and what goes to the target sum to 1.

    Args:
        block: `TransformerBlock`, such as `TransformerBlock(num_heads=8)`, or
            its config. Only the config is used, for each layer.
        num_layers: Integer. Number of blocks. Defaults to `6`.
        causal_source: Boolean. Whether a source token sees only what stands
            before it, as in a language model, or the whole source. Defaults to
            `True`.
        position, scale_inputs, dropout: As for `TransformerDecoder`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, target_length, dim)`.
        memory: Float tensor of shape `(batch_size, Tv, dim)`, the source.
        encoder_states: Not used.
        memory_mask: Boolean tensor of shape `(batch_size, Tv)`, `True` at real
            places, or `None`.
        training: Boolean.

    Returns:
        Float tensor of the shape of `inputs`.

    Example:

    >>> block = k2s.layers.TransformerBlock(num_heads=2)
    >>> decoder = k2s.layers.PrefixDecoder(block, num_layers=2)
    >>> outputs = decoder(np.ones((2, 3, 4)), np.ones((2, 5, 4)))
    >>> tuple(outputs.shape)
    (2, 3, 4)

    References:
        - [Liu et al., 2018](https://arxiv.org/abs/1801.10198), section 4.2.3
        - [Dong et al., 2019](https://arxiv.org/abs/1905.03197), section 2.3
          (a source that sees itself whole)
    """

    def __init__(self, block, num_layers=6, *, causal_source=True, **kwargs):
        super().__init__(block, num_layers, **kwargs)
        self.causal_source = causal_source

    @property
    def is_causal(self):
        return self.causal_source

    def build(self, inputs_shape, memory_shape, encoder_states_shape=None):
        check_widths(inputs_shape, memory_shape)
        self.build_stack(inputs_shape)

    @property
    def max_total_length(self):
        return self.max_length

    def begin(
        self,
        memory,
        encoder_states=None,
        memory_mask=None,
        max_length=None,
        num_beams=1,
        training=False,
    ):
        return self._read(
            memory, memory_mask, max_length, num_beams, training, False
        )[:2]

    def begin_by_layer(
        self,
        memory,
        encoder_states=None,
        memory_mask=None,
        max_length=None,
        num_beams=1,
        training=False,
    ):
        return self._read(
            memory, memory_mask, max_length, num_beams, training, True
        )

    def _read(
        self, memory, memory_mask, max_length, num_beams, training, by_layer
    ):
        """Prepared memory, first states, and attention scores if wanted."""
        check_memory(memory, memory_mask)
        rows, places = ops.shape(memory)[:2]
        if memory_mask is None:
            memory_mask = ops.ones((rows, places), "bool")
        seen = ops.expand_dims(memory_mask, (1, 2))
        if self.causal_source:
            seen = seen & up_to_now(places)
        x, rotation = self.enter(memory, training=training)
        bias = self.bias(places, places)
        projected, all_scores = [], {}
        for block in self.blocks:
            x, own, scores = block(
                x, seen=seen, rotation=rotation, bias=bias, training=training
            )
            projected.append(own)
            if by_layer:
                all_scores[block.name] = of_real(scores["self"], memory_mask)
        prepared = {
            "blocks": projected,
            "mask": memory_mask,
            "length": ops.sum(ops.cast(memory_mask, "int32"), axis=1),
        }
        states = first_states(self, rows, max_length, num_beams)
        return prepared, states, all_scores

    def step(
        self, inputs, states, memory, index, return_attention_scores=False
    ):
        check_states(states, memory["blocks"], inputs)
        outputs, states, scores = self._pass(
            ops.expand_dims(inputs, 1), memory, states, index
        )
        outputs = ops.squeeze(outputs, 1)
        if not return_attention_scores:
            return outputs, states
        scores = _last_layer(scores, memory)  # (batch, num_beams, Tv)
        scores = ops.reshape(scores, (-1, ops.shape(scores)[-1]))
        return outputs, states, scores

    def run(
        self,
        inputs,
        states,
        memory,
        training=False,
        return_attention_scores=False,
    ):
        outputs, _, scores = self._pass(inputs, memory, training=training)
        if not return_attention_scores:
            return outputs
        return outputs, _last_layer(scores, memory)

    def run_by_layer(self, inputs, states, memory):
        outputs, _, scores = self._pass(inputs, memory)
        names = [block.name for block in self.blocks]
        places = ops.shape(memory["mask"])[1]
        return outputs, {
            "decoder": dict(zip(names, [x[..., places:] for x in scores])),
            "memory": dict(zip(names, [x[..., :places] for x in scores])),
        }

    def _pass(self, inputs, memory, states=None, index=0, training=False):
        """Outputs, states and attention scores of all blocks."""
        length = inputs.shape[1]
        if states is not None:
            length = states["ancestors"].shape[1]
        sides = memory["mask"].shape[1], length
        self.position.check_length(None if None in sides else sum(sides))
        first = memory["length"] + index  # of a source
        by_beam = by_row(first, inputs[:, 0, 0])
        memory_bias = self.bias(
            ops.shape(inputs)[1],
            ops.shape(memory["mask"])[1],
            by_beam if states is None else first,
        )
        outputs, states, scores = self.decode(
            *self.enter(inputs, by_beam, training),
            memory["blocks"],
            states,
            index,
            memory_bias,
            memory_seen=ops.expand_dims(memory["mask"], (1, 2)),
            training=training,
        )
        return outputs, states, [looks["self"] for looks in scores]

    def compute_output_shape(
        self, inputs_shape, memory_shape=None, encoder_states_shape=None
    ):
        return inputs_shape

    def get_config(self):
        return {**super().get_config(), "causal_source": self.causal_source}


def _last_layer(scores, memory):
    """The last block's shares `(rows, length, Tv)`, over its heads."""
    places = ops.shape(memory["mask"])[1]
    return _shares(ops.mean(scores[-1][..., :places], axis=1))


def _shares(scores):
    """Scores that sum to 1, or to 0 where there is nothing."""
    total = ops.sum(scores, axis=-1, keepdims=True)
    return scores / ops.maximum(total, 1e-7)
