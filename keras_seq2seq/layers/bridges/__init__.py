from keras_seq2seq.layers.bridges.backward_bridge import (
    BackwardBridge as BackwardBridge,
)
from keras_seq2seq.layers.bridges.bridge import Bridge as Bridge
from keras_seq2seq.layers.bridges.copy_bridge import CopyBridge as CopyBridge
from keras_seq2seq.layers.bridges.dense_bridge import DenseBridge as DenseBridge
from keras_seq2seq.layers.bridges.layer_bridge import LayerBridge as LayerBridge
from keras_seq2seq.layers.bridges.mean_bridge import MeanBridge as MeanBridge
from keras_seq2seq.layers.bridges.zero_bridge import ZeroBridge as ZeroBridge
