"""Plain-Python tokenizers, each with an equal TensorFlow graph."""

from keras_seq2seq.text.byte_pair_tokenizer import (
    BytePairTokenizer as BytePairTokenizer,
)
from keras_seq2seq.text.byte_tokenizer import ByteTokenizer as ByteTokenizer
from keras_seq2seq.text.character_tokenizer import (
    CharacterTokenizer as CharacterTokenizer,
)
from keras_seq2seq.text.hub_tokenizer import HubTokenizer as HubTokenizer
from keras_seq2seq.text.read_tokenizer import read_tokenizer as read_tokenizer
from keras_seq2seq.text.subword_tokenizer import (
    SubwordTokenizer as SubwordTokenizer,
)
from keras_seq2seq.text.symbol_tokenizer import (
    SymbolTokenizer as SymbolTokenizer,
)
from keras_seq2seq.text.tokenizer import Tokenizer as Tokenizer
from keras_seq2seq.text.utf8 import to_utf8 as to_utf8
from keras_seq2seq.text.vocabulary import Vocabulary as Vocabulary
from keras_seq2seq.text.word_tokenizer import WordTokenizer as WordTokenizer
