"""Signatures of a served model, one a file. None imports TensorFlow."""

from keras_seq2seq.export.signatures.answers import Answers as Answers
from keras_seq2seq.export.signatures.attention import Attention as Attention
from keras_seq2seq.export.signatures.best import Best as Best
from keras_seq2seq.export.signatures.n_best import NBest as NBest
from keras_seq2seq.export.signatures.score import Score as Score
from keras_seq2seq.export.signatures.signature import Signature as Signature
from keras_seq2seq.export.signatures.token_ids import TokenIds as TokenIds
