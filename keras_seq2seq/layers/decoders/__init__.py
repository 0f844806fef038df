from keras_seq2seq.layers.decoders.recurrent_decoder import (
    RecurrentDecoder as RecurrentDecoder,
)
