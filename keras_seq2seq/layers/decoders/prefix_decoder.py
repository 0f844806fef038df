import keras
from keras import ops

from keras_seq2seq.layers.decoders.self_attention_decoder import (
    SelfAttentionDecoder,
)
from keras_seq2seq.layers.transformer.beams import beams_to_rows
from keras_seq2seq.layers.transformer.cache import empty_caches
from keras_seq2seq.layers.transformer.transformer_stack import (
    zero_masked_queries,
)
from keras_seq2seq.ops import by_row
from keras_seq2seq.ops import causal_mask
from keras_seq2seq.utils.axes import check_memory


@keras.saving.register_keras_serializable("keras_seq2seq")
class PrefixDecoder(SelfAttentionDecoder):
    """One Transformer for source and target: a decoder without an encoder.

    Source and target are one sequence, `x_1 .. x_n [start] y_1 .. y_m`, with
    the start token between them, and go through the same blocks; only the
    target is predicted. The source is read once: its keys and values are never
    copied for the beams. Positions run on from the source's last real token.
    The encoder in front is `IdentityEncoder`; `tie_weights="all"` gives both
    sides one table.

    Attention scores are those of the last block's heads on the source, as
    shares: attention to the target is left out. By layer nothing is left out:
    attention to the source and to the target sum to 1.

    Args:
        block: `TransformerBlock`, such as `TransformerBlock(num_heads=8)`, or
            its config. Only the config is used, for each layer.
        num_layers: Integer. Number of blocks. Defaults to `6`.
        causal_source: Boolean. Whether a source token sees only what comes
            before it, as in a language model, or the whole source. Defaults to
            `True`.
        position, scale_inputs, dropout: As for `TransformerDecoder`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, target_length, dim)`.
        memory: Float tensor of shape `(batch_size, Tv, dim)`, the source.
        encoder_states: Not used.
        memory_mask: Boolean tensor of shape `(batch_size, Tv)`, `True` at real
            positions, or `None`.
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
        rows, length = ops.shape(memory)[:2]
        if memory_mask is None:
            memory_mask = ops.ones((rows, length), "bool")
        memory_mask = ops.cast(memory_mask, "bool")
        # 1, 2 ..: the last real place, whatever is masked before it.
        places = ops.arange(1, length + 1, dtype="int32")
        last = ops.max(ops.where(memory_mask, places, 0), axis=1)
        blocks, scores = self._read(memory, memory_mask, training, by_layer)
        cache = {
            "blocks": blocks,
            "mask": memory_mask,
            "length": last,
        }
        if by_layer:
            cache["self_attention"] = {
                block.name: zero_masked_queries(x, memory_mask)
                for block, x in zip(self.blocks, scores)
            }
        written, states = empty_caches(self, rows, max_length, num_beams)
        return {**cache, **written}, states

    def _read(self, memory, memory_mask, training, with_scores):
        """Keys and values of the source, and scores if wanted, by block."""
        length = ops.shape(memory)[1]
        seen = ops.expand_dims(memory_mask, (1, 2))
        if self.causal_source:
            seen = seen & causal_mask(length, length)
        x, rotation = self.enter(memory, training=training)
        bias = self.bias(length, length)
        blocks, all_scores = [], []
        for block in self.blocks:
            x, projected, scores = block(
                x, seen=seen, rotation=rotation, bias=bias, training=training
            )
            blocks.append(projected)
            if with_scores:
                all_scores.append(scores["self"])
        return blocks, all_scores

    def _decode(self, inputs, states, cache, index=0, training=False):
        length = inputs.shape[1]
        if states is not None:
            length = states["ancestors"].shape[1]
        sides = cache["mask"].shape[1], length
        self.position.check_length(None if None in sides else sum(sides))
        first = cache["length"] + index  # of a source
        by_beam = by_row(first, inputs[:, 0, 0])
        memory_bias = self.bias(
            ops.shape(inputs)[1],
            ops.shape(cache["mask"])[1],
            by_beam if states is None else first,
        )
        return self.decode(
            *self.enter(inputs, by_beam, training),
            cache,
            states,
            index,
            memory_bias,
            memory_seen=ops.expand_dims(cache["mask"], (1, 2)),
            training=training,
        )

    def _memory_scores(self, scores, cache, length):
        scores = scores["self"][..., : ops.shape(cache["mask"])[1]]
        return beams_to_rows(scores, length)

    def _own_scores(self, scores, cache):
        return scores["self"][..., ops.shape(cache["mask"])[1] :]

    def _mean_scores(self, scores, cache, length):
        """Shares of the source: they sum to 1, or to 0 without a source."""
        mean = super()._mean_scores(scores, cache, length)
        total = ops.sum(mean, axis=-1, keepdims=True)
        return mean / ops.maximum(total, 1e-7)

    def get_config(self):
        return {**super().get_config(), "causal_source": self.causal_source}


def check_widths(inputs_shape, memory_shape):
    """Raise unless source and target can be one sequence."""
    if inputs_shape[-1] != memory_shape[-1]:
        raise ValueError(
            "Source and target must be equally wide, as one sequence. "
            f"Received: inputs of width {inputs_shape[-1]}, memory of width "
            f"{memory_shape[-1]}. Put `IdentityEncoder` in front."
        )
