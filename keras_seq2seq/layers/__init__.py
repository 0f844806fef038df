"""Keras layers: attention, decoder cells, bridges, encoders, decoders."""

from keras_seq2seq.layers.attention import AdditiveScore as AdditiveScore
from keras_seq2seq.layers.attention import (
    AttentionMechanism as AttentionMechanism,
)
from keras_seq2seq.layers.attention import (
    AttentionNormalizer as AttentionNormalizer,
)
from keras_seq2seq.layers.attention import AttentionScore as AttentionScore
from keras_seq2seq.layers.attention import (
    SoftmaxNormalizer as SoftmaxNormalizer,
)
from keras_seq2seq.layers.bridges import Bridge as Bridge
from keras_seq2seq.layers.bridges import CopyBridge as CopyBridge
from keras_seq2seq.layers.bridges import DenseBridge as DenseBridge
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
from keras_seq2seq.layers.encoders import IdentityEncoder as IdentityEncoder
from keras_seq2seq.layers.encoders import RecurrentEncoder as RecurrentEncoder
from keras_seq2seq.layers.encoders import (
    TransformerEncoder as TransformerEncoder,
)
from keras_seq2seq.layers.readouts import DeepReadout as DeepReadout
from keras_seq2seq.layers.readouts import DirectReadout as DirectReadout
from keras_seq2seq.layers.readouts import Readout as Readout
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
from keras_seq2seq.layers.transformer import RotaryPosition as RotaryPosition
from keras_seq2seq.layers.transformer import (
    SinusoidalPosition as SinusoidalPosition,
)
from keras_seq2seq.layers.transformer import (
    TransformerBlock as TransformerBlock,
)
