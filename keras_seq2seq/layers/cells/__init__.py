from keras_seq2seq.layers.cells.bahdanau_cell import (
    BahdanauCell as BahdanauCell,
)
from keras_seq2seq.layers.cells.decoder_cell import DecoderCell as DecoderCell
from keras_seq2seq.layers.cells.luong_cell import LuongCell as LuongCell
