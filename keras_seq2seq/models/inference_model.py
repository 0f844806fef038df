import keras
from keras import ops

from keras_seq2seq.models.derived_model import model_specs
from keras_seq2seq.models.ensemble import EnsembleModel
from keras_seq2seq.models.ensemble import averaged_logits
from keras_seq2seq.models.ensemble import averaged_scores
from keras_seq2seq.models.search_inputs import search_inputs
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
        results, *initial = self.run_search(inputs)
        if self.return_attention_scores:
            results["attention_scores"] = self.attention(results, *initial)
        return results

    def run_search(self, inputs):
        """Results of the search, and the tokens, states and caches before."""
        inputs = self.checked_inputs(inputs)
        rows = self.model.source.values(inputs).shape[0]
        check_search_size(self.search, rows, self.model.num_logits)
        start = self.model.start_token_ids(inputs, self.start_token_id)
        caches, states, known = self._initialize(inputs)
        results = self.search(
            self._step,
            states,
            caches,
            start_token_id=self.start_token_id,
            end_token_id=self.end_token_id,
            pad_token_id=self.model.pad_token_id,
            start_token_ids=start,
            inputs={**known, **inputs},
            return_log_probs=self.return_log_probs,
        )
        return results, start, states, caches

    def _initialize(self, inputs):
        """Caches and states of all models, and inputs of the search."""
        caches, all_states = [], []
        for model in self.models:
            encoded = model.encode(inputs, self.by_layer)
            cache, states = model.initialize(
                inputs,
                self.search.max_length,
                encoded,
                self.search.width,
                self.by_layer,
            )
            caches.append(cache)
            all_states.append(states)
        names = self.search.input_names
        known = search_inputs(names, model, inputs, *encoded[:2])
        return caches, all_states, known

    def _step(self, token_ids, states, caches, index):
        """A step of all models; attention scores if the search needs them."""
        steps = [
            model.decode_step(token_ids, *own, index)
            for model, *own in zip(self.models, states, caches)
        ]
        logits, states, caches, scores = map(list, zip(*steps))
        logits = averaged_logits(logits, self.average)
        attend = self.search.needs_attention
        scores = averaged_scores(scores) if attend else None
        return logits, states, caches, scores

    def attention(self, results, start_token_ids, states, caches):
        """Attention scores of the hypotheses, `(batch, n_best, length, Tv)`.

        Or those by layer, as `return_attention_scores` wants them.

        Args:
            results, start_token_ids, states, caches: What `run_search` gave.
                `length` is that of the token ids, which may be cut after the
                longest hypothesis.
        """
        token_ids = results["token_ids"]
        n_best, length = token_ids.shape[1], ops.shape(token_ids)[2]
        token_ids = ops.reshape(token_ids, (-1, length))
        start = ops.expand_dims(repeat_rows(start_token_ids, n_best), 1)
        token_ids = ops.concatenate([start, token_ids[:, :-1]], axis=1)
        all_scores = []
        for model, cache, first in zip(self.models, caches, states):
            first = repeat_rows(first, n_best)
            _, scores = model.decode_sequence(
                token_ids, first, cache, self.by_layer
            )
            all_scores.append(scores)
        real = length_mask(results["lengths"], length)
        if not self.by_layer:
            return _by_hypothesis(averaged_scores(all_scores), real)
        return {
            kind: layers
            if kind == "encoder"  # the same for all hypotheses of a source
            else {n: _by_hypothesis(x, real) for n, x in layers.items()}
            for kind, layers in all_scores[0].items()
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
