from keras_seq2seq.layers.encoders.recurrent_encoder import (
    RecurrentEncoder as RecurrentEncoder,
)
