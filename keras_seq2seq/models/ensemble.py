"""Several models as one: equal vocabularies, averaged distributions."""

import keras
from keras import ops

from keras_seq2seq.models.derived_model import DerivedModel
from keras_seq2seq.models.seq2seq import Seq2Seq
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_choice
from keras_seq2seq.utils.checks import check_type

AVERAGES = ("probability", "log_probability")
WANTED = (False, True, "by_layer")  # of the attention scores


class EnsembleModel(DerivedModel):
    """Abstract model around one or several `Seq2Seq`; it shares their weights.

    Args:
        model: `Seq2Seq`, or a list of them.
        average: As for `averaged_logits`.
        return_attention_scores: Boolean, or `"by_layer"`, for one model.
    """

    def __init__(self, model, average, return_attention_scores, **kwargs):
        super().__init__(checked_models(model), **kwargs)
        self.average = check_choice(average, "average", AVERAGES)
        self.return_attention_scores = check_choice(
            return_attention_scores,
            "return_attention_scores",
            WANTED if len(self.models) == 1 else WANTED[:2],
        )

    @property
    def by_layer(self):
        return self.return_attention_scores == "by_layer"

    def get_config(self):
        models = list(map(keras.saving.serialize_keras_object, self.models))
        return {
            "name": self.name,
            "model": models if len(models) > 1 else models[0],
            "average": self.average,
            "return_attention_scores": self.return_attention_scores,
        }


def checked_models(model):
    """List of `Seq2Seq` of one or several models, or of their configs."""
    models = model if isinstance(model, (list, tuple)) else [model]
    if not models:
        raise ValueError(
            "`model` must be a `Seq2Seq`, or a list of at least one. "
            f"Received: model={model!r}"
        )
    models = [
        check_type(registry.object_of(entry), "model", Seq2Seq)
        for entry in models
    ]
    described = [_description(entry) for entry in models]
    if any(entry != described[0] for entry in described):
        raise ValueError(
            "The models of an ensemble must have the same inputs and the same "
            f"target vocabulary. Received: {described}. Train them with the "
            "same tokenizers."
        )
    return models


def _description(model):
    return {
        "sources": {
            source.input_name: source.get_config()
            for source in model.sources.values()
        },
        "target_vocabulary_size": model.target.vocabulary_size,
        "pad_token_id": model.pad_token_id,
        "start_token_id": getattr(model, "start_token_id", None),
    }


def averaged_logits(logits, average):
    """One tensor of logits `(..., vocabulary_size)` of those of all models.

    Args:
        logits: List of tensors of one shape.
        average: `"probability"`, the mean of the probabilities, or
            `"log_probability"`, that of the log-probabilities.
    """
    if len(logits) == 1:
        return logits[0]
    log_probs = ops.stack([ops.log_softmax(x, axis=-1) for x in logits])
    if average == "log_probability":
        return ops.mean(log_probs, axis=0)
    return ops.logsumexp(log_probs, axis=0)


def averaged_scores(scores):
    """The mean of attention scores, of models with memories of one length."""
    if len(scores) == 1:
        return scores[0]
    lengths = {x.shape[-1] for x in scores if x.shape[-1] is not None}
    if len(lengths) > 1:
        raise ValueError(
            "Attention scores of an ensemble need memories of one length. "
            f"Received: lengths {sorted(lengths)}. Do without attention scores "
            "and coverage penalty, or take encoders of the same kind."
        )
    return ops.mean(ops.stack(scores), axis=0)
