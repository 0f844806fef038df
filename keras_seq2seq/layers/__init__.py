"""Keras layers: attention, decoder cells, bridges, encoders, decoders."""

from keras_seq2seq.layers.attention import AdditiveScore as AdditiveScore
from keras_seq2seq.layers.attention import (
    AttentionMechanism as AttentionMechanism,
)
from keras_seq2seq.layers.attention import (
    AttentionNormalizer as AttentionNormalizer,
)
from keras_seq2seq.layers.attention import AttentionScore as AttentionScore
from keras_seq2seq.layers.attention import BilinearScore as BilinearScore
from keras_seq2seq.layers.attention import ConcatScore as ConcatScore
from keras_seq2seq.layers.attention import CoverageScore as CoverageScore
from keras_seq2seq.layers.attention import DotProductScore as DotProductScore
from keras_seq2seq.layers.attention import HardNormalizer as HardNormalizer
from keras_seq2seq.layers.attention import (
    LocationAwareScore as LocationAwareScore,
)
from keras_seq2seq.layers.attention import (
    MonotonicNormalizer as MonotonicNormalizer,
)
from keras_seq2seq.layers.attention import (
    MultiHeadMechanism as MultiHeadMechanism,
)
from keras_seq2seq.layers.attention import (
    ScaledDotProductScore as ScaledDotProductScore,
)
from keras_seq2seq.layers.attention import (
    SoftmaxNormalizer as SoftmaxNormalizer,
)
from keras_seq2seq.layers.attention import (
    SparsemaxNormalizer as SparsemaxNormalizer,
)
from keras_seq2seq.layers.bridges import BackwardBridge as BackwardBridge
from keras_seq2seq.layers.bridges import Bridge as Bridge
from keras_seq2seq.layers.bridges import CopyBridge as CopyBridge
from keras_seq2seq.layers.bridges import DenseBridge as DenseBridge
from keras_seq2seq.layers.bridges import LayerBridge as LayerBridge
from keras_seq2seq.layers.bridges import MeanBridge as MeanBridge
from keras_seq2seq.layers.bridges import ZeroBridge as ZeroBridge
from keras_seq2seq.layers.cells import AttentionCell as AttentionCell
from keras_seq2seq.layers.cells import BahdanauCell as BahdanauCell
from keras_seq2seq.layers.cells import ChoCell as ChoCell
from keras_seq2seq.layers.cells import DecoderCell as DecoderCell
from keras_seq2seq.layers.cells import GNMTCell as GNMTCell
from keras_seq2seq.layers.cells import LuongCell as LuongCell
from keras_seq2seq.layers.cells import SutskeverCell as SutskeverCell
from keras_seq2seq.layers.decoders import Decoder as Decoder
from keras_seq2seq.layers.decoders import PrefixDecoder as PrefixDecoder
from keras_seq2seq.layers.decoders import RecurrentDecoder as RecurrentDecoder
from keras_seq2seq.layers.decoders import (
    RecurrentPrefixDecoder as RecurrentPrefixDecoder,
)
from keras_seq2seq.layers.decoders import (
    TransformerDecoder as TransformerDecoder,
)
from keras_seq2seq.layers.encoders import BackboneEncoder as BackboneEncoder
from keras_seq2seq.layers.encoders import Encoder as Encoder
from keras_seq2seq.layers.encoders import IdentityEncoder as IdentityEncoder
from keras_seq2seq.layers.encoders import LayerMix as LayerMix
from keras_seq2seq.layers.encoders import PyramidalEncoder as PyramidalEncoder
from keras_seq2seq.layers.encoders import RecurrentEncoder as RecurrentEncoder
from keras_seq2seq.layers.encoders import StackedEncoder as StackedEncoder
from keras_seq2seq.layers.encoders import (
    TransformerEncoder as TransformerEncoder,
)
from keras_seq2seq.layers.readouts import DeepReadout as DeepReadout
from keras_seq2seq.layers.readouts import DirectReadout as DirectReadout
from keras_seq2seq.layers.readouts import Readout as Readout
from keras_seq2seq.layers.recurrent import MUT1Cell as MUT1Cell
from keras_seq2seq.layers.recurrent import MUT2Cell as MUT2Cell
from keras_seq2seq.layers.recurrent import MUT3Cell as MUT3Cell
from keras_seq2seq.layers.recurrent import RecurrentStack as RecurrentStack
from keras_seq2seq.layers.recurrent import ReducedLSTMCell as ReducedLSTMCell
from keras_seq2seq.layers.tied_output import TiedOutput as TiedOutput
from keras_seq2seq.layers.token_embedding import (
    TokenEmbedding as TokenEmbedding,
)
from keras_seq2seq.layers.transformer import FeedForward as FeedForward
from keras_seq2seq.layers.transformer import LearnedPosition as LearnedPosition
from keras_seq2seq.layers.transformer import (
    MultiHeadAttention as MultiHeadAttention,
)
from keras_seq2seq.layers.transformer import Position as Position
from keras_seq2seq.layers.transformer import (
    RelativePosition as RelativePosition,
)
from keras_seq2seq.layers.transformer import RotaryPosition as RotaryPosition
from keras_seq2seq.layers.transformer import (
    SinusoidalPosition as SinusoidalPosition,
)
from keras_seq2seq.layers.transformer import (
    TransformerBlock as TransformerBlock,
)
