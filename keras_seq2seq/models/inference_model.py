import keras
from keras import ops

from keras_seq2seq.models.ensemble import EnsembleModel
from keras_seq2seq.models.ensemble import averaged_logits
from keras_seq2seq.models.ensemble import averaged_scores
from keras_seq2seq.models.ensemble import model_specs
from keras_seq2seq.models.search_inputs import search_inputs
from keras_seq2seq.ops import ensure_axes
from keras_seq2seq.ops import length_mask
from keras_seq2seq.ops import repeat_rows
from keras_seq2seq.search import Search
from keras_seq2seq.search.data_inputs import caller_inputs
from keras_seq2seq.search.data_inputs import data_inputs
from keras_seq2seq.search.size import check_search_size
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_token_id


@keras.saving.register_keras_serializable("keras_seq2seq")
class InferenceModel(EnsembleModel):
    """A trained `Seq2Seq` and a search, as one compiled Keras model.

    Shares the weights of `model`. `predict()` batches and shows progress;
    outputs are padded to the search's `max_length`.

    It compiles itself as it suits the backend. On TensorFlow XLA
    (`jit_compile=True`) cannot compile the search of a Transformer.

    Several models are an ensemble: at each step their distributions are
    averaged. They need the same inputs and the same target vocabulary.

    Args:
        model: `Seq2Seq`, or a list of them.
        search: Name, config or instance of a `Search`. Defaults to `"beam"`.
        start_token_id: Integer. Defaults to `1`.
        end_token_id: Integer. Defaults to `2`.
        average: `"probability"`, the mean of the probabilities, or
            `"log_probability"`, that of the log-probabilities, for several
            models. Defaults to `"probability"`.
        return_attention_scores: Boolean. Whether the attention scores of the
            hypotheses are returned too, from one forced pass; `"by_layer"`
            for those of each layer and head, self-attention too, of one model.
            Defaults to `False`.
        return_log_probs: Boolean. Whether the log-probabilities of the tokens
            are returned too. Defaults to `False`.

    Call arguments:
        inputs: Integer tensor of source ids, of shape
            `(batch_size, source_length)` (or the raw input of the encoder), or
            a dict with the encoder's inputs of `Seq2Seq` and what the search
            names in `input_names`, such as `prefix` or `seed`, the batch in
            front. `source_lengths` and `memory_mask` come from the source.

    Returns:
        Dict of `token_ids` `(batch_size, n_best, max_length)`, `lengths` and
        `scores` `(batch_size, n_best)`, best first; and, where they were asked
        for, `attention_scores` `(batch_size, n_best, max_length, Tv)`, and
        `log_probs` `(batch_size, n_best, max_length)`, zero after the end
        token, and `total_log_probs` `(batch_size, n_best)`. By layer,
        `attention_scores` is a dict of those of the model's kinds -> layer ->
        array: `"encoder"`, of shape `(batch_size, num_heads, Tv, Tv)`,
        `"decoder"`, `(batch_size, n_best, num_heads, max_length, max_length)`,
        whose columns are the start token and all tokens but the last, and
        `"memory"`, `(batch_size, n_best, num_heads, max_length, Tv)`.

    Example:

    >>> encoder = k2s.layers.RecurrentEncoder(keras.layers.GRUCell(8))
    >>> cell = k2s.layers.LuongCell(keras.layers.GRUCell(8))
    >>> model = k2s.models.Seq2Seq(
    ...     encoder, k2s.layers.RecurrentDecoder(cell),
    ...     source_vocabulary_size=10, target_vocabulary_size=12,
    ...     embedding_dim=4,
    ... )
    >>> search = k2s.search.BeamSearch(num_beams=3, max_length=7)
    >>> inference = k2s.models.InferenceModel(model, search)
    >>> inference.predict(np.ones((2, 5), "int32"), verbose=0)[
    ...     "token_ids"].shape
    (2, 1, 7)
    """

    def __init__(
        self,
        model,
        search="beam",
        *,
        start_token_id=1,
        end_token_id=2,
        average="probability",
        return_attention_scores=False,
        return_log_probs=False,
        **kwargs,
    ):
        super().__init__(model, average, return_attention_scores, **kwargs)
        self.search = registry.get(search, Search, "search")
        size = self.model.target.vocabulary_size
        self.start_token_id = check_token_id(
            start_token_id, "start_token_id", size
        )
        self.end_token_id = check_token_id(end_token_id, "end_token_id", size)
        self.return_log_probs = return_log_probs

    def input_specs(self):
        """Those of the source, and of what the search asks a caller for."""
        cure = "Pass `input_signature`, a list of one dict of name -> "
        cure += "`keras.InputSpec`."
        asked = {
            x.name: keras.InputSpec(shape=x.sizes(), dtype=x.dtype, name=x.name)
            for x in caller_inputs(self.search, cure)
        }
        sources = model_specs(self.model, [self.model.target.input_name])
        return {**sources, **asked}

    def input_axes(self):
        asked = data_inputs(self.search).values()
        axes = {x.name: x.axes for x in asked}
        return {**self.model.source_axes(), **axes}

    def vocabulary_sizes(self):
        size = self.model.target.vocabulary_size
        asked = data_inputs(self.search).values()
        ids = {x.name: size for x in asked if x.holds_token_ids}
        return {**self.model.source_vocabulary_sizes(), **ids}

    def call(self, inputs):
        found, begun = self.find(inputs)
        if self.return_attention_scores:
            found["attention_scores"] = self.attention(found, begun)
        return found

    def find(self, inputs):
        """What the search finds, and what it began with."""
        if not isinstance(inputs, dict):
            inputs = {self.model.source.input_name: inputs}
        rows = self.model.source.values(inputs).shape[0]
        inputs = ensure_axes(inputs, self.input_axes())
        size = self.model.target.vocabulary_size
        check_search_size(self.search, rows, size)
        memories, states, known = self._begin(inputs)
        found = self.search(
            lambda token_ids, states, index: self._step(
                token_ids, states, memories, index
            ),
            states,
            start_token_id=self.start_token_id,
            end_token_id=self.end_token_id,
            pad_token_id=self.model.pad_token_id,
            inputs={**known, **inputs},
            return_log_probs=self.return_log_probs,
        )
        return found, (memories, states)

    def _begin(self, inputs):
        """Memories and states of all models, and inputs of the search."""
        memories, states = [], []
        for model in self.models:
            encoded = model.encode(inputs, self.by_layer)
            prepared, first = model.begin(
                inputs,
                self.search.max_length,
                encoded,
                self.search.width,
                self.by_layer,
            )
            memories.append(prepared)
            states.append(first)
        return (
            memories,
            states,
            search_inputs(self.search.input_names, model, inputs, *encoded[:2]),
        )

    def _step(self, token_ids, states, memories, index):
        """Logits, states, and attention scores if the search needs them."""
        attend = self.search.needs_attention
        steps = [
            model.decode_step(
                token_ids,
                own,
                memory,
                index,
                return_attention_scores=attend,
            )
            for model, own, memory in zip(self.models, states, memories)
        ]
        logits, states, *scores = zip(*steps)
        logits = averaged_logits(logits, self.average)
        if attend:
            return logits, list(states), averaged_scores(*scores)
        return logits, list(states)

    def attention(self, found, begun):
        """Attention scores of the hypotheses, `(batch, n_best, length, Tv)`.

        Or those by layer, as `return_attention_scores` wants them.

        Args:
            found, begun: What `find` gave. `length` is that of the token ids,
                which may be cut after the longest hypothesis.
        """
        token_ids = found["token_ids"]
        n_best, length = token_ids.shape[1], ops.shape(token_ids)[2]
        token_ids = ops.reshape(token_ids, (-1, length))
        start = ops.full_like(token_ids[:, :1], self.start_token_id)
        token_ids = ops.concatenate([start, token_ids[:, :-1]], axis=1)
        scores = []
        for model, memory, states in zip(self.models, *begun):
            states = repeat_rows(states, n_best)
            _, looks = model.decode_forced(
                token_ids, states, memory, self.by_layer
            )
            scores.append(looks)
        real = length_mask(found["lengths"], length)
        if not self.by_layer:
            return _by_hypothesis(averaged_scores(scores), real)
        return {
            kind: layers
            if kind == "encoder"  # the same for all hypotheses of a source
            else {n: _by_hypothesis(x, real) for n, x in layers.items()}
            for kind, layers in scores[0].items()
        }

    def get_config(self):
        return {
            **super().get_config(),
            "search": keras.saving.serialize_keras_object(self.search),
            "start_token_id": self.start_token_id,
            "end_token_id": self.end_token_id,
            "return_log_probs": self.return_log_probs,
        }


def _by_hypothesis(scores, real):
    """`(rows, ..., length, Tv)` -> `(batch, n_best, ..., length, Tv)`.

    Zero where `real (batch, n_best, length)` is `False`.
    """
    shape = (-1, real.shape[1], *ops.shape(scores)[1:])
    scores = ops.reshape(scores, shape)
    real = ops.expand_dims(real, -1)
    if len(shape) == 5:  # the heads
        real = ops.expand_dims(real, 2)
    return ops.where(real, scores, 0.0)
