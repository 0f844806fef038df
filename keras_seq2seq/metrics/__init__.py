"""Figures of merit: of whole corpora, by name, and Keras's for `fit`."""

from keras_seq2seq.metrics.bleu import bleu as bleu
from keras_seq2seq.metrics.character_error_rate import (
    character_error_rate as character_error_rate,
)
from keras_seq2seq.metrics.chrf import chrf as chrf
from keras_seq2seq.metrics.exact_match import exact_match as exact_match
from keras_seq2seq.metrics.paired_bootstrap import (
    paired_bootstrap as paired_bootstrap,
)
from keras_seq2seq.metrics.paired_scores import PairedScores as PairedScores
from keras_seq2seq.metrics.perplexity import Perplexity as Perplexity
from keras_seq2seq.metrics.perplexity import perplexity as perplexity
from keras_seq2seq.metrics.phoneme_error_rate import (
    phoneme_error_rate as phoneme_error_rate,
)
from keras_seq2seq.metrics.reads import reads_log_probs as reads_log_probs
from keras_seq2seq.metrics.reads import reads_texts as reads_texts
from keras_seq2seq.metrics.registry import get as get
from keras_seq2seq.metrics.rouge import rouge1 as rouge1
from keras_seq2seq.metrics.rouge import rouge2 as rouge2
from keras_seq2seq.metrics.rouge import rougeL as rougeL
from keras_seq2seq.metrics.signed_score import SignedScore as SignedScore
from keras_seq2seq.metrics.ter import ter as ter
from keras_seq2seq.metrics.word_error_rate import (
    word_error_rate as word_error_rate,
)
