import keras
from keras import ops

from keras_seq2seq.layers.decoders.self_attention_decoder import (
    SelfAttentionDecoder,
)
from keras_seq2seq.layers.transformer.beams import beams_to_rows
from keras_seq2seq.layers.transformer.cache import empty_caches
from keras_seq2seq.utils.axes import check_memory


@keras.saving.register_keras_serializable("keras_seq2seq")
class TransformerDecoder(SelfAttentionDecoder):
    """Transformer decoder: blocks of causal self-attention, attention to the
    memory, and feed-forward.

    Keys and values of the memory are projected once a sequence. In a search
    those of the tokens so far are written to the cache, where each step and
    beam has its place. Padding at the end of a target needs no mask: no token
    sees a later one. The encoder's states are not used.

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
            positions, or `None`.
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
        cache = {"blocks": [b.project_memory(memory) for b in self.blocks]}
        if memory_mask is not None:
            cache["mask"] = memory_mask
        rows = ops.shape(memory)[0]
        written, states = empty_caches(self, rows, max_length, num_beams)
        return {**cache, **written}, states

    def _decode(self, inputs, states, cache, index=0, training=False):
        mask = cache.get("mask")  # the same for all heads and queries
        return self.decode(
            *self.enter(inputs, index, training),
            cache,
            states,
            index,
            memory_seen=None if mask is None else ops.expand_dims(mask, (1, 2)),
            training=training,
        )

    def _memory_scores(self, scores, cache, length):
        return beams_to_rows(scores["memory"], length)

    def _own_scores(self, scores, cache):
        return scores["self"]
