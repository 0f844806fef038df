"""Constraints: what a search may choose at a step."""

from keras_seq2seq.search.constraints.allowed_sequences import (
    AllowedSequences as AllowedSequences,
)
from keras_seq2seq.search.constraints.banned_mask import (
    BannedMask as BannedMask,
)
from keras_seq2seq.search.constraints.banned_sequences import (
    BannedSequences as BannedSequences,
)
from keras_seq2seq.search.constraints.banned_tokens import (
    BannedTokens as BannedTokens,
)
from keras_seq2seq.search.constraints.constraint import Constraint as Constraint
from keras_seq2seq.search.constraints.forced_prefix import (
    ForcedPrefix as ForcedPrefix,
)
from keras_seq2seq.search.constraints.length_ratio import (
    LengthRatio as LengthRatio,
)
from keras_seq2seq.search.constraints.no_repeat_ngram import (
    NoRepeatNgram as NoRepeatNgram,
)
from keras_seq2seq.search.constraints.repetition_penalty import (
    RepetitionPenalty as RepetitionPenalty,
)
from keras_seq2seq.search.step_context import StepContext as StepContext
