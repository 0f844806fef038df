"""Pictures of attention. They need matplotlib."""

from keras_seq2seq.plots.attention import attention as attention
from keras_seq2seq.plots.n_best_attention import (
    n_best_attention as n_best_attention,
)
