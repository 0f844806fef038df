"""Pictures of attention; all but pages need matplotlib."""

from keras_seq2seq.plots.attention import attention as attention
from keras_seq2seq.plots.attention_by_head import (
    attention_by_head as attention_by_head,
)
from keras_seq2seq.plots.attention_page import attention_page as attention_page
from keras_seq2seq.plots.compare import compare as compare
from keras_seq2seq.plots.n_best_attention import (
    n_best_attention as n_best_attention,
)
from keras_seq2seq.plots.subwords import join_subwords as join_subwords
