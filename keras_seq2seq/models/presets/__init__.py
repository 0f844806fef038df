"""Presets: name -> settings -> the parts of a model. One paper a file.

`PRESETS` are for `Seq2Seq`, `LANGUAGE_MODELS` for `LanguageModel`. `NAME` has
the settings of the paper; `NAME_small` the same parts in a size for two CPU
cores, where the preset's file has such settings (`SMALL`). A file may also
know the `LEARNING_RATE` that suits it.

Settings of one name mean the same in all presets: `units`, `embedding_dim`,
`num_layers`, `cell`, `score`, `bridge`, `readout`, `dropout`, wherever the
model has such a part. `score` is the score or a whole `AttentionMechanism`,
with its normalizer; `attention` is another name of it.
"""

import functools
import inspect

from keras_seq2seq.models.presets import bahdanau_2015
from keras_seq2seq.models.presets import cho_2014
from keras_seq2seq.models.presets import chorowski_2015
from keras_seq2seq.models.presets import gnmt_2016
from keras_seq2seq.models.presets import liu_2018
from keras_seq2seq.models.presets import luong_2015
from keras_seq2seq.models.presets import radford_2018
from keras_seq2seq.models.presets import raffel_2017
from keras_seq2seq.models.presets import sutskever_2014
from keras_seq2seq.models.presets import transformer_2017
from keras_seq2seq.models.presets import zaremba_2014
from keras_seq2seq.models.presets import zaremba_sutskever_2014
from keras_seq2seq.models.presets.recurrent_parts import units_of
from keras_seq2seq.utils.checks import check_choice
from keras_seq2seq.utils.checks import check_type
from keras_seq2seq.utils.sizes import check_dimension
from keras_seq2seq.utils.sizes import check_fits

LAYER = 2**18  # numbers in the room that a layer takes by itself, 1 MB


def _name_of(module):
    return module.__name__.rpartition(".")[2]


def _presets(*modules):
    """Dict of name -> function of settings."""
    presets = {}
    for module in modules:
        name = _name_of(module)
        presets[name] = getattr(module, name)
        if hasattr(module, "SMALL"):
            small = functools.partial(presets[name], **module.SMALL)
            presets[f"{name}_small"] = small
    return presets


MODELS = (
    sutskever_2014,
    cho_2014,
    bahdanau_2015,
    luong_2015,
    chorowski_2015,
    gnmt_2016,
    raffel_2017,
    zaremba_sutskever_2014,
    transformer_2017,
    liu_2018,
)
LANGUAGES = zaremba_2014, radford_2018
PRESETS = _presets(*MODELS)
LANGUAGE_MODELS = _presets(*LANGUAGES)
LEARNING_RATES = {
    _name_of(module): module.LEARNING_RATE
    for module in (*MODELS, *LANGUAGES)
    if hasattr(module, "LEARNING_RATE")
}


def learning_rate_of(preset, otherwise):
    """Peak of Adam's learning rate that suits a preset.

    Args:
        preset: Name of a preset, or of a model outside the zoo.
        otherwise: Float, for those that do not know one.
    """
    return LEARNING_RATES.get(preset.removesuffix("_small"), otherwise)


def settings_of(preset, presets):
    """Names of the settings of a preset: a list."""
    return [*inspect.signature(presets[preset]).parameters]


def _check_setting(name, value, default):
    """Raise unless a setting is of the kind of its default."""
    if isinstance(default, bool):
        check_type(value, name, bool)
    elif isinstance(default, int):
        check_dimension(value, name)


def _check_size(preset, settings):
    """Raise where so many layers, with a matrix or two each, do not fit."""
    what = f"The layers of a `{preset}`"
    count = {"num_layers": settings.get("num_layers", 1)}
    check_fits(what, count, times=LAYER)
    (width,) = {"units", "hidden_dim"} & settings.keys()
    check_fits(what, {**count, width: settings[width]}, times=settings[width])
    if "intermediate_dim" in settings:
        both = {n: settings[n] for n in (width, "intermediate_dim")}
        check_fits(what, {**count, **both})


def _with_units_of_cell(settings):
    """The settings, with the units that a given cell brings."""
    units = units_of(settings["cell"]) if "cell" in settings else None
    if units is None:
        return settings
    if settings.get("units", units) != units:
        raise ValueError(
            "A `cell` brings its own units. Received: cell of "
            f"{units} units, units={settings['units']}. Leave one out."
        )
    return {**settings, "units": units}


def _with_score(settings, known):
    """The settings, with `score` for `attention`, its other name."""
    if "attention" not in settings or "score" not in known:
        return settings
    if "score" in settings:
        raise ValueError(
            "`attention` and `score` are two names of one setting. Received: "
            f"attention={settings['attention']!r}, "
            f"score={settings['score']!r}. Leave one out; an "
            "`AttentionMechanism` brings its own score."
        )
    names = {"attention": "score"}
    return {names.get(name, name): x for name, x in settings.items()}


def parts_of(preset, presets, settings, of_model):
    """Arguments of a model: what a preset makes of some settings.

    Args:
        preset: Name in `presets`.
        presets: `PRESETS` or `LANGUAGE_MODELS`.
        settings: Dict, arguments of the preset, and of the model.
        of_model: Names of arguments that no preset has a say in. They pass
            through.
    """
    check_choice(preset, "preset", presets)
    known = inspect.signature(presets[preset]).parameters
    settings = _with_score(_with_units_of_cell(settings), known)
    for name, value in settings.items():
        if name not in (*known, *of_model):
            raise TypeError(
                f"`{preset}` has the settings {[*known]}, and the model "
                f"{[*of_model]}. Received: {name}={value!r}"
            )
        if name in known:
            _check_setting(name, value, known[name].default)
    given = {n: x for n, x in settings.items() if n in of_model}
    own = {n: x for n, x in settings.items() if n not in of_model}
    _check_size(preset, {n: x.default for n, x in known.items()} | own)
    return {**given, **presets[preset](**own)}
