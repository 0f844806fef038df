import keras
from keras import ops

from keras_seq2seq.layers.decoders.decoder import Decoder
from keras_seq2seq.layers.transformer.beams import among_rows
from keras_seq2seq.layers.transformer.cache import check_states
from keras_seq2seq.layers.transformer.cache import first_states
from keras_seq2seq.layers.transformer.transformer_stack import TransformerStack
from keras_seq2seq.utils.axes import check_memory


@keras.saving.register_keras_serializable("keras_seq2seq")
class TransformerDecoder(TransformerStack, Decoder):
    """Transformer decoder: blocks of causal self-attention, attention to the
    memory, and feed-forward.

    Keys and values of the memory are projected once, in `begin`. In a search
    those of the tokens so far are in a cache with a place for each step and
    beam, written there and never moved; the states tell which places are a
    hypothesis's own. `step` is the pass of `run` over a single token, the
    beams of a source beside each other, with this cache. Padding at the end of
    a target needs no mask: no token looks ahead. The encoder's states are not
    used.

    Args:
        block: `TransformerBlock`, such as `TransformerBlock(num_heads=8)`, or
            its config. Only the config is used, for each layer.
        num_layers: Integer. Number of blocks. Defaults to `6`.
        position: Name, config or instance of a `Position`: `"sinusoidal"`,
            `"learned"`, `"rotary"` or `"relative"`; `None` for none. Defaults
            to `"sinusoidal"`.
        scale_inputs: Boolean. Whether inputs are multiplied by the root of
            their width, as the paper does with embeddings. Defaults to
            `False`.
        dropout: Float in `[0, 1)`. Dropout on inputs with their positions.
            Defaults to `0.0`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, target_length, dim)`.
        memory: Float tensor of shape `(batch_size, Tv, value_dim)`.
        encoder_states: Not used.
        memory_mask: Boolean tensor of shape `(batch_size, Tv)`, `True` at real
            places, or `None`.
        training: Boolean.

    Returns:
        Float tensor of the shape of `inputs`.

    Example:

    >>> block = k2s.layers.TransformerBlock(num_heads=2)
    >>> decoder = k2s.layers.TransformerDecoder(block, num_layers=2)
    >>> outputs = decoder(np.ones((2, 3, 4)), np.ones((2, 5, 6)))
    >>> tuple(outputs.shape)
    (2, 3, 4)

    References:
        - [Vaswani et al., 2017](https://arxiv.org/abs/1706.03762), section 3
    """

    cross_attention = True

    def build(self, inputs_shape, memory_shape, encoder_states_shape=None):
        self.build_stack(inputs_shape, memory_shape)

    def begin(
        self,
        memory,
        encoder_states=None,
        memory_mask=None,
        max_length=None,
        num_beams=1,
        training=False,
    ):
        check_memory(memory, memory_mask)
        prepared = {"blocks": [b.project_memory(memory) for b in self.blocks]}
        if memory_mask is not None:
            prepared["mask"] = memory_mask
        rows = ops.shape(memory)[0]
        return prepared, first_states(self, rows, max_length, num_beams)

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
        return outputs, states, ops.squeeze(_last_layer(scores, 1), 1)

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
        return outputs, _last_layer(scores, ops.shape(inputs)[1])

    def run_by_layer(self, inputs, states, memory):
        outputs, _, scores = self._pass(inputs, memory)
        length, names = ops.shape(inputs)[1], [b.name for b in self.blocks]
        own = [looks["self"] for looks in scores]
        memory = [among_rows(looks["memory"], length) for looks in scores]
        return outputs, {
            "decoder": dict(zip(names, own)),
            "memory": dict(zip(names, memory)),
        }

    def _pass(self, inputs, memory, states=None, index=0, training=False):
        """Outputs, states and attention scores of all blocks."""
        return self.decode(
            *self.enter(inputs, index, training),
            memory["blocks"],
            states,
            index,
            memory_seen=_mask_of(memory),
            training=training,
        )

    def compute_output_shape(
        self, inputs_shape, memory_shape=None, encoder_states_shape=None
    ):
        return inputs_shape


def _last_layer(scores, length):
    """The last block's scores `(rows, length, Tv)`, the mean of its heads."""
    return ops.mean(among_rows(scores[-1]["memory"], length), axis=1)


def _mask_of(memory):
    """The memory's mask, the same for all heads and queries."""
    if "mask" not in memory:
        return None
    return ops.expand_dims(memory["mask"], (1, 2))
