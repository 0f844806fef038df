"""Models: training, inference, and the presets of the zoo."""

from keras_seq2seq.models.copy_encoder import copy_encoder as copy_encoder
from keras_seq2seq.models.copy_language_models import (
    copy_language_models as copy_language_models,
)
from keras_seq2seq.models.encoder_model import EncoderModel as EncoderModel
from keras_seq2seq.models.inference_model import (
    InferenceModel as InferenceModel,
)
from keras_seq2seq.models.language_model import LanguageModel as LanguageModel
from keras_seq2seq.models.presets import LANGUAGE_MODELS as LANGUAGE_MODELS
from keras_seq2seq.models.presets import PRESETS as PRESETS
from keras_seq2seq.models.scoring_model import ScoringModel as ScoringModel
from keras_seq2seq.models.seq2seq import Seq2Seq as Seq2Seq


def __getattr__(name):
    if name == "ForcedModel":  # the first name of `ScoringModel`
        return ScoringModel
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
