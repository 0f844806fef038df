"""Several models as one: equal vocabularies, averaged distributions."""

import keras
from keras import ops

from keras_seq2seq.models.answering import Answering
from keras_seq2seq.models.checked_data import CheckedData
from keras_seq2seq.models.compilation import jit_compile
from keras_seq2seq.models.seq2seq import Seq2Seq
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_choice
from keras_seq2seq.utils.checks import check_type

AVERAGES = ("probability", "log_probability")
WANTED = (False, True, "by_layer")  # of the attention scores


class EnsembleModel(CheckedData, Answering, keras.Model):
    """Abstract model around one or several `Seq2Seq`; it shares their weights.

    Args:
        model: `Seq2Seq`, or a list of them.
        average: As for `averaged_logits`.
        return_attention_scores: Boolean, or `"by_layer"`, for one model.
    """

    def __init__(self, model, average, return_attention_scores, **kwargs):
        super().__init__(**kwargs)
        self.models = checked_models(model)
        self.average = check_choice(average, "average", AVERAGES)
        self.return_attention_scores = check_choice(
            return_attention_scores,
            "return_attention_scores",
            WANTED if len(self.models) == 1 else WANTED[:2],
        )
        self.built = True  # all weights are the models'
        self.compile(optimizer=None, jit_compile=jit_compile())

    @property
    def model(self):
        """The model, or the first of several."""
        return self.models[0]

    @property
    def by_layer(self):
        return self.return_attention_scores == "by_layer"

    def jax_state_sync(self):
        for model in self.models:
            model.jax_state_sync()
        super().jax_state_sync()

    def get_compile_config(self):
        """None: the constructor compiles, as it suits the backend."""

    def input_specs(self):
        """Dict of `keras.InputSpec` of the inputs, by name."""
        raise NotImplementedError

    def export(
        self,
        filepath,
        format="tf_saved_model",
        verbose=None,
        input_signature=None,
        **kwargs,
    ):
        """As `keras.Model.export`: from arrays to arrays, of any batch.

        A SavedModel is made under the TensorFlow backend. `task.export` makes
        one from strings to strings, under every backend.

        Args:
            filepath, format, verbose, **kwargs: As in Keras.
            input_signature: As in Keras. Defaults to `None`: the inputs of
                the model and of its search, each of any length.
        """
        backend = keras.backend.backend()
        if format == "tf_saved_model" and backend != "tensorflow":
            raise RuntimeError(
                "A SavedModel of a search must be made under the TensorFlow "
                f"backend. Received: backend={backend!r}. Save the model, and "
                "load it in a process with that backend; or make a task of it, "
                "whose `export` does so by itself."
            )
        if input_signature is None:
            input_signature = [self.input_specs()]
        super().export(
            filepath,
            format=format,
            verbose=verbose,
            input_signature=input_signature,
            **kwargs,
        )

    def get_config(self):
        models = list(map(keras.saving.serialize_keras_object, self.models))
        return {
            "name": self.name,
            "model": models if len(models) > 1 else models[0],
            "average": self.average,
            "return_attention_scores": self.return_attention_scores,
        }


def model_specs(model, without=()):
    """Dict of `keras.InputSpec` of the inputs of a `Seq2Seq`, but for some."""
    return {
        name: keras.InputSpec(shape=x.shape, dtype=x.dtype, name=name)
        for name, x in model.input.items()
        if name not in without
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
