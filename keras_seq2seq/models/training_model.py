import keras
from keras import ops

from keras_seq2seq.models.answering import Answering
from keras_seq2seq.models.checked_data import CheckedData
from keras_seq2seq.models.compilation import count_alone
from keras_seq2seq.models.compilation import jit_compile
from keras_seq2seq.models.compilation import own_values
from keras_seq2seq.ops import ensure_axes
from keras_seq2seq.utils.axes import known_shape


class TrainingModel(CheckedData, Answering, keras.Model):
    """Abstract model: how a `Seq2Seq` is compiled and what it minimizes.

    The compiled loss and metrics see targets and logits; `attention_loss`, if
    it is not `None`, is added. A subclass sets it, and `pad_token_id`.
    """

    def compile(self, *args, **kwargs):
        eagerly = kwargs.get("run_eagerly", False)
        kwargs.setdefault("jit_compile", not eagerly and jit_compile())
        super().compile(*args, **kwargs)

    def make_train_function(self, force=False):
        # TensorFlow traces a step twice if variables appear in the first.
        if not self.optimizer.built:
            self.optimizer.build(self.trainable_variables)
        own_values(self)
        super().make_train_function(force)
        count_alone(self.train_function)

    def make_test_function(self, force=False):
        own_values(self)
        super().make_test_function(force)
        count_alone(self.test_function)

    def get_compile_config(self):
        config = super().get_compile_config()
        if config is not None:
            config.pop("jit_compile", None)  # it belongs to a backend
        return config

    def compile_from_config(self, config):
        self.compile(**keras.saving.deserialize_keras_object(config))
        self.optimizer.build(self.trainable_variables)

    def compute_loss(
        self, x=None, y=None, y_pred=None, sample_weight=None, training=True
    ):
        logits = logits_of(y_pred)
        sample_weight = _checked_weights(logits, y, sample_weight)
        loss = super().compute_loss(x, y, logits, sample_weight, training)
        if self.attention_loss is None:
            return loss
        weights = self.target.mask(x)
        weights = ops.cast(weights, "float32")
        if sample_weight is not None:
            weights = weights * ops.cast(sample_weight, "float32")
        return loss + self.attention_loss(
            y_pred["attention_scores"],
            _token_losses(y, logits),
            weights,
            training=training,
        )

    def compute_metrics(self, x, y, y_pred, sample_weight=None):
        return super().compute_metrics(x, y, logits_of(y_pred), sample_weight)


def logits_of(outputs):
    """The logits among the outputs of a `Seq2Seq`."""
    return outputs["logits"] if isinstance(outputs, dict) else outputs


def _token_losses(targets, logits):
    """Negative log-likelihoods `(batch_size, target_length)` of targets.

    Args:
        targets: Ids `(batch_size, target_length)`, or distributions of the
            shape of the logits.
    """
    loss = (
        keras.losses.categorical_crossentropy
        if len(targets.shape) == len(logits.shape)
        else keras.losses.sparse_categorical_crossentropy
    )
    return loss(targets, logits, from_logits=True)


def _checked_weights(logits, targets, sample_weight):
    """Weights `(batch_size, target_length)`, of weights of tokens or of rows.

    Raises unless there is a target, and a weight if any, for each position.
    """
    positions = "batch_size", "target_length"
    axes = {"logits": (*positions, ...), "targets": (*positions, ...)}
    shape = known_shape(sample_weight)
    of_rows = shape is not None and shape[1:] in ((), (1,))
    axes["sample_weight"] = ("batch_size", ...) if of_rows else positions
    given = ensure_axes(
        {"logits": logits, "targets": targets, "sample_weight": sample_weight},
        axes,
    )
    if not of_rows:
        return given["sample_weight"]
    # Keras's losses multiply in place on PyTorch.
    rows = ops.reshape(sample_weight, (-1, 1))
    return rows * ops.ones_like(logits[..., 0], dtype=rows.dtype)
