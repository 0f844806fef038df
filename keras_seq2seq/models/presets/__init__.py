"""Presets: name -> settings -> the parts of a model. One paper a file.

`PRESETS` are for `Seq2Seq`, `LANGUAGE_MODELS` for `LanguageModel`.
"""

import functools

from keras_seq2seq.models.presets import transformer_2017
from keras_seq2seq.models.presets.bahdanau_2015 import bahdanau_2015
from keras_seq2seq.models.presets.liu_2018 import liu_2018
from keras_seq2seq.models.presets.luong_2015 import luong_2015
from keras_seq2seq.models.presets.radford_2018 import radford_2018
from keras_seq2seq.models.presets.zaremba_2014 import zaremba_2014

PRESETS = {
    "bahdanau_2015": bahdanau_2015,
    "liu_2018": liu_2018,
    "luong_2015": luong_2015,
    "transformer_2017": transformer_2017.transformer_2017,
    "transformer_2017_small": functools.partial(
        transformer_2017.transformer_2017, **transformer_2017.SMALL
    ),
}

LANGUAGE_MODELS = {
    "radford_2018": radford_2018,
    "zaremba_2014": zaremba_2014,
}
