"""Corpora, and batches of them for training."""

from keras_seq2seq.data.bucketed_dataset import (
    BucketedDataset as BucketedDataset,
)
from keras_seq2seq.data.bucketing import assign_buckets as assign_buckets
from keras_seq2seq.data.bucketing import bucket_length as bucket_length
from keras_seq2seq.data.cmudict import cmudict as cmudict
from keras_seq2seq.data.corpus_splits import CorpusSplits as CorpusSplits
from keras_seq2seq.data.encoded_corpus import EncodedCorpus as EncodedCorpus
from keras_seq2seq.data.for_fit import for_fit as for_fit
from keras_seq2seq.data.learn_buckets import learn_buckets as learn_buckets
from keras_seq2seq.data.pair_reader import PairReader as PairReader
from keras_seq2seq.data.parallel_corpus import ParallelCorpus as ParallelCorpus
from keras_seq2seq.data.streamed_corpus import StreamedCorpus as StreamedCorpus
from keras_seq2seq.data.teacher_forcing import pad_token_ids as pad_token_ids
from keras_seq2seq.data.teacher_forcing import (
    teacher_forcing as teacher_forcing,
)
from keras_seq2seq.data.token_rows import TokenRows as TokenRows
