"""Presets: name -> settings -> the parts of a `Seq2Seq`. One paper a file.

`NAME` has the settings of the paper, `NAME_small` the same parts in a size for
two CPU cores (`SMALL` in the file of the preset).
"""

import functools

from keras_seq2seq.models.presets import bahdanau_2015
from keras_seq2seq.models.presets import cho_2014
from keras_seq2seq.models.presets import chorowski_2015
from keras_seq2seq.models.presets import gnmt_2016
from keras_seq2seq.models.presets import luong_2015
from keras_seq2seq.models.presets import raffel_2017
from keras_seq2seq.models.presets import sutskever_2014

PRESETS = {}
for _module in (
    sutskever_2014,
    cho_2014,
    bahdanau_2015,
    luong_2015,
    chorowski_2015,
    gnmt_2016,
    raffel_2017,
):
    _name = _module.__name__.rpartition(".")[2]
    _preset = getattr(_module, _name)
    PRESETS[_name] = _preset
    PRESETS[f"{_name}_small"] = functools.partial(_preset, **_module.SMALL)
