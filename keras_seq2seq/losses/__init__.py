"""Losses that Keras lacks."""

from keras_seq2seq.losses.attention_loss import AttentionLoss as AttentionLoss
from keras_seq2seq.losses.score_function_loss import (
    ScoreFunctionLoss as ScoreFunctionLoss,
)
from keras_seq2seq.losses.score_function_loss import (
    score_function_loss as score_function_loss,
)
from keras_seq2seq.losses.sequence_crossentropy import (
    SequenceCrossentropy as SequenceCrossentropy,
)
