import keras

from keras_seq2seq.layers.recurrent.final_states import final_state
from keras_seq2seq.models.derived_model import DerivedModel
from keras_seq2seq.models.derived_model import model_specs
from keras_seq2seq.models.language_model import LanguageModel
from keras_seq2seq.models.seq2seq import Seq2Seq
from keras_seq2seq.ops import masked_mean
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_choice
from keras_seq2seq.utils.checks import check_type

POOLINGS = "final", "mean"


@keras.saving.register_keras_serializable("keras_seq2seq")
class EncoderModel(DerivedModel):
    """The encoder of a trained `Seq2Seq`: one vector for each source.

    Shares the weights of `model`. The vectors of similar sources should lie
    close to each other.

    Args:
        model: `Seq2Seq`.
        pooling: `"final"`, the final hidden state of the top layer, of a
            bidirectional encoder forward and backward side by side; or
            `"mean"`, the mean of the memory over the real positions. Defaults
            to `"final"`.

    Call arguments:
        inputs: Integer tensor of source ids, of shape
            `(batch_size, source_length)` (or the raw input of the encoder), or
            a dict with the encoder's inputs of `model`.

    Returns:
        Float tensor of shape `(batch_size, dim)`.

    Example:

    >>> model = k2s.models.Seq2Seq.from_preset(
    ...     "sutskever_2014", source_vocabulary_size=10,
    ...     target_vocabulary_size=12, units=8, embedding_dim=4,
    ... )
    >>> vectors = k2s.models.EncoderModel(model).predict_on_batch(
    ...     np.array([[4, 5, 6], [7, 0, 0]])
    ... )
    >>> vectors.shape
    (2, 8)

    References:
        - [Sutskever et al., 2014](https://arxiv.org/abs/1409.3215), figure 2
          (`"final"`)
    """

    def __init__(self, model, pooling="final", **kwargs):
        model = check_type(registry.object_of(model), "model", Seq2Seq)
        super().__init__([model], **kwargs)
        if isinstance(model, LanguageModel):
            raise ValueError(
                "`model` must have an encoder. Received: a language model. "
                "`ScoringModel(model, return_states=True)` gives its states."
            )
        self.pooling = check_choice(pooling, "pooling", POOLINGS)

    def input_specs(self):
        return model_specs(self.model, [self.model.target.input_name])

    def input_axes(self):
        return self.model.source_axes()

    def vocabulary_sizes(self):
        return self.model.source_vocabulary_sizes()

    def call(self, inputs):
        inputs = self.checked_inputs(inputs)
        memory, mask, states = self.model.encode(inputs)
        if self.pooling == "mean":
            return masked_mean(memory, mask)
        final = final_state(states)
        if final is None:
            raise ValueError(
                '`pooling="final"` needs an encoder with final states. '
                f"Received: a `{type(self.model.encoder).__name__}`. Pass "
                '`pooling="mean"`.'
            )
        return final

    def get_config(self):
        return {
            "name": self.name,
            "model": keras.saving.serialize_keras_object(self.model),
            "pooling": self.pooling,
        }
