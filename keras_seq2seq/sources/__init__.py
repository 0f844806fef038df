"""What a model reads: one input each, as token ids or as numbers."""

from keras_seq2seq.sources.raw_source import RawSource as RawSource
from keras_seq2seq.sources.source import Source as Source
from keras_seq2seq.sources.token_source import TokenSource as TokenSource
