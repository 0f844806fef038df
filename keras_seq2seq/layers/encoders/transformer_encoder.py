import keras
from keras import ops

from keras_seq2seq.layers.encoders.encoder import Encoder
from keras_seq2seq.layers.transformer.transformer_stack import TransformerStack
from keras_seq2seq.layers.transformer.transformer_stack import (
    zero_masked_queries,
)
from keras_seq2seq.utils.axes import check_source


@keras.saving.register_keras_serializable("keras_seq2seq")
class TransformerEncoder(TransformerStack, Encoder):
    """Transformer encoder: blocks of self-attention and feed-forward.

    The output of the last block is the memory. There are no final states: a
    decoder with initial states needs a bridge that computes them from the
    memory. Masked positions are not attended to, and their own memory is
    meaningless. With pre-normalization, a final normalization follows the last
    block.

    Args:
        block: `TransformerBlock`, such as `TransformerBlock(num_heads=8)`, or
            its config. Only the config is used, once for each layer.
        num_layers: Integer. Number of blocks. Defaults to `6`.
        position: Name, config or instance of a `Position`: `"sinusoidal"`,
            `"learned"`, `"rotary"` or `"relative"`; `None` for none. Defaults
            to `"sinusoidal"`.
        scale_inputs: Boolean. Whether to multiply the inputs by the square root
            of their width, as the paper does with embeddings. Defaults to
            `False`.
        dropout: Float in `[0, 1)`. Dropout on the sum of inputs and positions.
            Defaults to `0.0`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, source_length, dim)`.
        mask: Boolean tensor of shape `(batch_size, source_length)`, `True` at
            real positions.
        training: Boolean.
        return_attention_scores: Boolean.

    Returns:
        Memory, of the shape of `inputs`, and an empty dict. With
        `return_attention_scores`, also a dict of layer -> attention scores of
        shape `(batch_size, num_heads, source_length, source_length)`, zero at
        masked positions.

    Example:

    >>> block = k2s.layers.TransformerBlock(num_heads=2)
    >>> encoder = k2s.layers.TransformerEncoder(block, num_layers=2)
    >>> memory, states = encoder(np.ones((2, 5, 4)))
    >>> tuple(memory.shape), states
    ((2, 5, 4), {})

    References:
        - [Vaswani et al., 2017](https://arxiv.org/abs/1706.03762), section 3
    """

    has_self_attention = True
    is_causal = False

    def build(self, inputs_shape):
        self.build_stack(inputs_shape)

    def call(
        self, inputs, mask=None, training=False, return_attention_scores=False
    ):
        check_source(inputs, mask)
        x, rotation = self.enter(inputs, training=training)
        length = ops.shape(inputs)[1]
        bias = self.bias(length, length)
        # (batch, Tv) -> (batch, 1, 1, Tv): the same for all heads and queries
        seen = None if mask is None else ops.expand_dims(mask, (1, 2))
        all_scores = {}
        for block in self.blocks:
            x, _, scores = block(
                x, seen=seen, rotation=rotation, bias=bias, training=training
            )
            if return_attention_scores:
                all_scores[block.name] = zero_masked_queries(
                    scores["self"], mask
                )
        if return_attention_scores:
            return self.leave(x), {}, all_scores
        return self.leave(x), {}

    def compute_output_shape(self, inputs_shape):
        return inputs_shape, {}
