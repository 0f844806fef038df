from keras_seq2seq.layers.bridges.bridge import Bridge as Bridge
from keras_seq2seq.layers.bridges.copy_bridge import CopyBridge as CopyBridge
from keras_seq2seq.layers.bridges.dense_bridge import DenseBridge as DenseBridge
