from keras import ops

from keras_seq2seq.layers.decoders.decoder import Decoder
from keras_seq2seq.layers.transformer.cache import check_cache
from keras_seq2seq.layers.transformer.transformer_stack import TransformerStack


class SelfAttentionDecoder(TransformerStack, Decoder):
    """Abstract decoder of Transformer blocks with causal self-attention.

    `step` is the pass over a whole target with a single token, the beams of a
    source beside each other. Padding at the end of a target needs no mask: no
    token sees a later one.

    The cache is a dict: keys and values of the source, `"blocks"`, for each
    block; and, where steps follow, those of the target so far, `"written"`,
    with room for each step and beam. Nothing in there ever moves: states tell
    which entries belong to a hypothesis.

    A subclass fills `initialize`, `_decode`, and `_memory_scores` and
    `_own_scores`: how the attention of a block to the source, and to the
    target, follows from the scores that the block returns.
    """

    def step(self, inputs, states, cache, index, training=False):
        check_cache(cache, states, inputs)
        outputs, states, cache, scores = self._decode(
            ops.expand_dims(inputs, 1), states, cache, index, training
        )
        scores = self._mean_scores(scores, cache, 1)
        return (
            ops.squeeze(outputs, 1),
            states,
            cache,
            ops.squeeze(scores, 1),
        )

    def decode_sequence(
        self,
        inputs,
        states,
        cache,
        training=False,
        return_attention_scores=False,
    ):
        outputs, _, _, scores = self._decode(
            inputs, None, cache, training=training
        )
        if not return_attention_scores:
            return outputs
        length = ops.shape(inputs)[1]
        return outputs, self._mean_scores(scores, cache, length)

    def decode_by_layer(self, inputs, states, cache):
        outputs, _, _, scores = self._decode(inputs, None, cache)
        length, names = ops.shape(inputs)[1], [b.name for b in self.blocks]
        own = [self._own_scores(x, cache) for x in scores]
        memory = [self._memory_scores(x, cache, length) for x in scores]
        by_layer = {
            "decoder": dict(zip(names, own)),
            "memory": dict(zip(names, memory)),
        }
        if "self_attention" in cache:
            by_layer["encoder"] = cache["self_attention"]
        return outputs, self._mean_scores(scores, cache, length), by_layer

    def _decode(self, inputs, states, cache, index=0, training=False):
        """Outputs, new states, new cache, and scores of all blocks.

        Args:
            inputs: Float tensor of shape `(rows, length, dim)`.
            states: As for `step`, or `None` in a pass over whole targets.
            cache, index, training: As for `step`.
        """
        raise NotImplementedError

    def _memory_scores(self, scores, cache, length):
        """Attention of a block to the source, `(rows, heads, length, Tv)`."""
        raise NotImplementedError

    def _own_scores(self, scores, cache):
        """That to the target, `(rows, heads, length, length)`."""
        raise NotImplementedError

    def _mean_scores(self, scores, cache, length):
        """The last block's scores `(rows, length, Tv)`, over its heads."""
        last = self._memory_scores(scores[-1], cache, length)
        return ops.mean(last, axis=1)

    def compute_output_shape(
        self, inputs_shape, memory_shape=None, encoder_states_shape=None
    ):
        return inputs_shape
