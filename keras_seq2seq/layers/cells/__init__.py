from keras_seq2seq.layers.cells.attention_cell import (
    AttentionCell as AttentionCell,
)
from keras_seq2seq.layers.cells.bahdanau_cell import (
    BahdanauCell as BahdanauCell,
)
from keras_seq2seq.layers.cells.cho_cell import ChoCell as ChoCell
from keras_seq2seq.layers.cells.decoder_cell import DecoderCell as DecoderCell
from keras_seq2seq.layers.cells.gnmt_cell import GNMTCell as GNMTCell
from keras_seq2seq.layers.cells.luong_cell import LuongCell as LuongCell
from keras_seq2seq.layers.cells.sutskever_cell import (
    SutskeverCell as SutskeverCell,
)
