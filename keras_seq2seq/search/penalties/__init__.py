"""Penalties: from the log-probability of a hypothesis to its score."""

from keras_seq2seq.search.penalties.avg_penalty import AvgPenalty as AvgPenalty
from keras_seq2seq.search.penalties.brevity_penalty import (
    BrevityPenalty as BrevityPenalty,
)
from keras_seq2seq.search.penalties.coverage import Coverage as Coverage
from keras_seq2seq.search.penalties.length_penalty import (
    LengthPenalty as LengthPenalty,
)
from keras_seq2seq.search.penalties.none_penalty import (
    NonePenalty as NonePenalty,
)
from keras_seq2seq.search.penalties.summary_coverage import (
    SummaryCoverage as SummaryCoverage,
)
from keras_seq2seq.search.penalties.wu_coverage import WuCoverage as WuCoverage
from keras_seq2seq.search.penalties.wu_penalty import WuPenalty as WuPenalty
