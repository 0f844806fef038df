"""Presets: name -> settings -> the parts of a `Seq2Seq`. One paper a file."""

import functools

from keras_seq2seq.models.presets import transformer_2017
from keras_seq2seq.models.presets.bahdanau_2015 import bahdanau_2015
from keras_seq2seq.models.presets.luong_2015 import luong_2015

PRESETS = {
    "bahdanau_2015": bahdanau_2015,
    "luong_2015": luong_2015,
    "transformer_2017": transformer_2017.transformer_2017,
    "transformer_2017_small": functools.partial(
        transformer_2017.transformer_2017, **transformer_2017.SMALL
    ),
}
