from keras_seq2seq.layers.readouts.deep_readout import (
    DeepReadout as DeepReadout,
)
from keras_seq2seq.layers.readouts.direct_readout import (
    DirectReadout as DirectReadout,
)
from keras_seq2seq.layers.readouts.readout import Readout as Readout
