from keras_seq2seq.layers.transformer.feed_forward import (
    FeedForward as FeedForward,
)
from keras_seq2seq.layers.transformer.learned_position import (
    LearnedPosition as LearnedPosition,
)
from keras_seq2seq.layers.transformer.multi_head_attention import (
    MultiHeadAttention as MultiHeadAttention,
)
from keras_seq2seq.layers.transformer.position import Position as Position
from keras_seq2seq.layers.transformer.relative_position import (
    RelativePosition as RelativePosition,
)
from keras_seq2seq.layers.transformer.rotary_position import (
    RotaryPosition as RotaryPosition,
)
from keras_seq2seq.layers.transformer.sinusoidal_position import (
    SinusoidalPosition as SinusoidalPosition,
)
from keras_seq2seq.layers.transformer.transformer_block import (
    TransformerBlock as TransformerBlock,
)
