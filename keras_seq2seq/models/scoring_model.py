import keras
from keras import ops

from keras_seq2seq.models.derived_model import model_specs
from keras_seq2seq.models.ensemble import EnsembleModel
from keras_seq2seq.models.ensemble import averaged_logits
from keras_seq2seq.models.ensemble import averaged_scores
from keras_seq2seq.ops import ensure_axes
from keras_seq2seq.utils.checks import check_choice


@keras.saving.register_keras_serializable("keras_seq2seq")
class ScoringModel(EnsembleModel):
    """A trained `Seq2Seq` on given targets: how probable is each token?

    Shares the weights of `model`, and runs the same pass as training.

    Args:
        model: `Seq2Seq`, or a list of them, as for `InferenceModel`.
        average: As for `InferenceModel`. Defaults to `"probability"`.
        return_attention_scores: As for `InferenceModel`. Defaults to `True`.
        return_states: Boolean. Whether the states of the decoder's recurrent
            cell are returned too, of one model. Defaults to `False`.

    Call arguments:
        inputs: Dict of the inputs of `model` and `targets`, integers of shape
            `(batch_size, target_length)`: the decoder ids one step ahead.

    Returns:
        Dict of `log_probs` `(batch_size, target_length)`, zero at padding;
        and, where they were asked for, `attention_scores`
        `(batch_size, target_length, Tv)`, or those by layer, as of
        `InferenceModel` without the axis `n_best`; and `states`, nested as
        those of the decoder's cell, `(batch_size, target_length, size)` each,
        after the decoder id at the same position, and zero at padding.

    Example:

    >>> model = k2s.models.Seq2Seq.from_preset(
    ...     "luong_2015", source_vocabulary_size=10, target_vocabulary_size=12,
    ...     units=8, embedding_dim=4,
    ... )
    >>> inputs = {
    ...     "encoder_token_ids": np.array([[4, 5]]),
    ...     "decoder_token_ids": np.array([[1, 6, 7]]),
    ...     "targets": np.array([[6, 7, 2]]),
    ... }
    >>> k2s.models.ScoringModel(model).predict_on_batch(inputs)[
    ...     "log_probs"].shape
    (1, 3)
    """

    def __init__(
        self,
        model,
        *,
        average="probability",
        return_attention_scores=True,
        return_states=False,
        **kwargs,
    ):
        super().__init__(model, average, return_attention_scores, **kwargs)
        self.return_states = check_choice(
            return_states,
            "return_states",
            (False, True) if len(self.models) == 1 else (False,),
        )

    def input_specs(self):
        targets = keras.InputSpec(
            shape=(None, None), dtype="int32", name="targets"
        )
        return {**model_specs(self.model), "targets": targets}

    def input_axes(self):
        targets = {"targets": ("batch_size", "target_length")}
        return {**self.model.input_axes(), **targets}

    def vocabulary_sizes(self):
        size = self.model.target.vocabulary_size
        return {**self.model.vocabulary_sizes(), "targets": size}

    def call(self, inputs):
        inputs = dict(ensure_axes(inputs, self.input_axes()))
        targets = inputs.pop("targets")
        all_logits, all_scores = [], []
        for model in self.models:
            cache, states = model.initialize(inputs, by_layer=self.by_layer)
            token_ids = model.decoder_token_ids(inputs)
            logits, scores = model.decode_sequence(
                token_ids, states, cache, self.by_layer
            )
            all_logits.append(logits)
            all_scores.append(scores)
        logits = averaged_logits(all_logits, self.average)
        log_probs = ops.take_along_axis(
            ops.log_softmax(logits, axis=-1),
            ops.expand_dims(targets, -1),
            axis=-1,
        )
        real = ops.not_equal(targets, self.model.pad_token_id)
        log_probs = ops.where(real, ops.squeeze(log_probs, -1), 0.0)
        results = {"log_probs": log_probs}
        if self.return_attention_scores:
            by_layer = self.by_layer
            results["attention_scores"] = (
                all_scores[0] if by_layer else averaged_scores(all_scores)
            )
        if self.return_states:
            results["states"] = self._states(token_ids, states, cache, real)
        return results

    def _states(self, token_ids, states, cache, real):
        states = self.model.decode_states(token_ids, states, cache)
        real = ops.expand_dims(real, -1)
        return keras.tree.map_structure(
            lambda x: ops.where(real, x, ops.zeros_like(x)), states
        )

    def get_config(self):
        return {**super().get_config(), "return_states": self.return_states}


# Files of earlier versions have its first name.
keras.saving.get_custom_objects()["keras_seq2seq>ForcedModel"] = ScoringModel
