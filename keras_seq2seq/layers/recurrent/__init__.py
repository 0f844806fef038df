from keras_seq2seq.layers.recurrent.mut1_cell import MUT1Cell as MUT1Cell
from keras_seq2seq.layers.recurrent.mut2_cell import MUT2Cell as MUT2Cell
from keras_seq2seq.layers.recurrent.mut3_cell import MUT3Cell as MUT3Cell
from keras_seq2seq.layers.recurrent.recurrent_stack import (
    RecurrentStack as RecurrentStack,
)
from keras_seq2seq.layers.recurrent.reduced_lstm_cell import (
    ReducedLSTMCell as ReducedLSTMCell,
)
