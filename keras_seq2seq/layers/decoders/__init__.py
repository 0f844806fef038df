from keras_seq2seq.layers.decoders.decoder import Decoder as Decoder
from keras_seq2seq.layers.decoders.prefix_decoder import (
    PrefixDecoder as PrefixDecoder,
)
from keras_seq2seq.layers.decoders.recurrent_decoder import (
    RecurrentDecoder as RecurrentDecoder,
)
from keras_seq2seq.layers.decoders.recurrent_prefix_decoder import (
    RecurrentPrefixDecoder as RecurrentPrefixDecoder,
)
from keras_seq2seq.layers.decoders.transformer_decoder import (
    TransformerDecoder as TransformerDecoder,
)
