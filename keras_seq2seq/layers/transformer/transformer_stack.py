import copy

import keras
from keras import ops

from keras_seq2seq.layers.transformer.beams import join_beams
from keras_seq2seq.layers.transformer.beams import repeat_bias
from keras_seq2seq.layers.transformer.cache import add_current_beam
from keras_seq2seq.layers.transformer.cache import ancestor_mask
from keras_seq2seq.layers.transformer.position import Position
from keras_seq2seq.layers.transformer.prefix import joint_bias
from keras_seq2seq.layers.transformer.residual import layer_norm
from keras_seq2seq.layers.transformer.transformer_block import TransformerBlock
from keras_seq2seq.ops import causal_mask
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_rate
from keras_seq2seq.utils.checks import check_type
from keras_seq2seq.utils.sizes import check_dimension
from keras_seq2seq.utils.structures import plain

MOST_LAYERS = 4096


class TransformerStack(keras.layers.Layer):
    """Abstract stack of blocks over inputs with positions.

    With pre-normalisation a last norm follows the blocks, which would hand
    over a bare sum otherwise.

    Args:
        block: `TransformerBlock`, of which only the config is used.
        num_layers: Integer. Number of blocks.
        position: Name, config or instance of a `Position`; `None` for none,
            where order is known by the causal mask alone, or not at all.
        scale_inputs: Boolean.
        dropout: Float in `[0, 1)`.
    """

    cross_attention = False
    is_causal = True  # whether no position sees a later one

    def __init__(
        self,
        block,
        num_layers=6,
        *,
        position="sinusoidal",
        scale_inputs=False,
        dropout=0.0,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.supports_masking = True
        check_type(registry.object_of(block), "block", TransformerBlock)
        # A config, not a layer: only the copies made from it have weights.
        self.block_config = registry.config_of(block)
        self.num_layers = check_dimension(
            num_layers, "num_layers", most=MOST_LAYERS
        )
        self.position = (
            Position(dtype=self.dtype_policy)  # which adds nothing
            if position is None
            else registry.get(
                position, Position, "position", dtype=self.dtype_policy.name
            )
        )
        self.scale_inputs = scale_inputs
        self.dropout = check_rate(dropout, "dropout")
        self.dropout_layer = keras.layers.Dropout(
            dropout, dtype=self.dtype_policy, name="dropout"
        )
        self.blocks = [self._copy(f"block_{i}") for i in range(num_layers)]
        self.last_norm = None
        if self.blocks[0].normalize_first:
            self.last_norm = layer_norm(self.dtype_policy, name="last_norm")

    @property
    def max_length(self):
        """Number of positions, or `None`."""
        return self.position.max_length

    def _copy(self, name):
        config = copy.deepcopy(plain(self.block_config))
        config["config"].update(name=name, cross_attention=self.cross_attention)
        return registry.object_of(config)

    def build_stack(self, inputs_shape, memory_shape=None):
        self.position.build_for(inputs_shape, self.blocks[0].num_heads)
        for block in self.blocks:
            if not block.built:
                block.build(inputs_shape, memory_shape)
        if self.last_norm is not None and not self.last_norm.built:
            self.last_norm.build(inputs_shape)

    def enter(self, inputs, first=0, training=False):
        """Inputs of the first block, and the rotation for all of them."""
        if self.scale_inputs:
            inputs = inputs * inputs.shape[-1] ** 0.5
        x = self.position(inputs, first=first)
        rotation = self.position.rotation(
            ops.shape(inputs)[1], self.blocks[0].head_dim, first
        )
        return self.dropout_layer(x, training=training), rotation

    def bias(self, query_length, key_length, first=0):
        """What the position adds to the energies of all blocks, or `None`."""
        return self.position.bias(
            query_length, key_length, first, is_causal=self.is_causal
        )

    def leave(self, x):
        return x if self.last_norm is None else self.last_norm(x)

    def decode(
        self,
        x,
        rotation,
        cache,
        states=None,
        index=0,
        memory_bias=None,
        **block_settings,
    ):
        """Outputs, states, cache and attention scores of a decoder's blocks.

        Args:
            x, rotation: From `enter`. In a step, `x` has length 1; there the
                beams of a source are the queries of one sequence,
                `(batch, num_beams, dim)`, and so in the attention scores.
            cache: Dict of `"blocks"`, the source's keys and values, and, in a
                step, `"written"`, as of `empty_caches`.
            states: As of `empty_caches`, in a step; `None` in a pass over
                whole sequences.
            index: Integer scalar, the number of the step.
            memory_bias: As of `bias`, for keys in front of the sequence.
        """
        shape, memory = ops.shape(x), cache["blocks"]
        if states is None:
            masks = {"seen": causal_mask(shape[1], shape[1])}
            bias = self.bias(shape[1], shape[1])
            written = [None] * len(self.blocks)
        else:
            x, rotation, num_beams = join_beams(x, rotation, memory)
            ancestors = add_current_beam(states["ancestors"], index, num_beams)
            masks = {
                "seen": ancestor_mask(ancestors, num_beams),
                "first": index * num_beams,
            }
            bias = self.bias(1, ops.shape(ancestors)[1], index)
            bias = repeat_bias(bias, num_beams)
            written = cache["written"]
        masks["bias"] = joint_bias(memory_bias, bias)
        new, all_scores = [], []
        for block, source, own in zip(self.blocks, memory, written):
            x, own, scores = block(
                x, source, own, rotation=rotation, **masks, **block_settings
            )
            new.append(own)
            all_scores.append(scores)
        if states is not None:
            states = {"ancestors": ancestors}
            cache = {**cache, "written": new}
        return ops.reshape(self.leave(x), shape), states, cache, all_scores

    def get_config(self):
        return {
            **super().get_config(),
            "block": plain(self.block_config),
            "num_layers": self.num_layers,
            "position": None
            if type(self.position) is Position
            else keras.saving.serialize_keras_object(self.position),
            "scale_inputs": self.scale_inputs,
            "dropout": self.dropout,
        }


def zero_masked_queries(scores, mask):
    """Attention scores `(rows, heads, length, places)`, zero where the query
    is masked by `mask (rows, length)`, or as they are for `None`."""
    if mask is None:
        return scores
    return ops.where(ops.expand_dims(mask, (1, 3)), scores, 0.0)
