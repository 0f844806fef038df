import keras
from keras import ops

from keras_seq2seq.ops import counter_gumbel
from keras_seq2seq.ops import keep_min_p
from keras_seq2seq.ops import keep_top_k
from keras_seq2seq.ops import keep_top_p
from keras_seq2seq.search.inputs.table import SEED
from keras_seq2seq.search.path_search import PathSearch
from keras_seq2seq.search.special import IMPOSSIBLE
from keras_seq2seq.search.special import possible
from keras_seq2seq.utils.checks import check_fraction
from keras_seq2seq.utils.checks import check_number
from keras_seq2seq.utils.sizes import check_dimension

# Below it, log-probabilities over the temperature would pass for impossible.
LEAST_TEMPERATURE = 1e-3


@keras.saving.register_keras_serializable("keras_seq2seq")
class Sampling(PathSearch):
    """Random hypotheses, token by token.

    A token is drawn from `softmax(log p / temperature)`, cut to its likely
    part: by `top_k`, then `top_p`, then `min_p`. The seeds are the input
    `seed`, integers of 32 bits, of shape `(batch_size,)`. A sample depends on
    its row's seed, its number among the samples of the row and the model, on
    nothing else: it is the same on every backend and beside any neighbours.

    The score is the log-probability of the model, without temperature and
    cut. Hypotheses are sorted by it; equal ones may occur.

    Args:
        temperature: Float of at least 0.001. Below `1` likely tokens become
            more likely. Defaults to `1.0`.
        top_k: Integer. Only the `top_k` most probable tokens are drawn.
            Defaults to `None`: all.
        top_p: Float in `(0, 1]`. Only the most probable tokens that make up
            this probability are drawn; a sum that is less by 1e-5 will
            do. Defaults to `None`: all.
        min_p: Float in `(0, 1]`. Only tokens at least `min_p` times as
            probable as the best are drawn, with a tolerance of 1e-5.
            Defaults to `None`: all.
        num_samples: Integer. Hypotheses of a source. Defaults to `1`.
        max_length: Integer. Longest hypothesis in tokens, the end token
            counted; there a hypothesis is cut. Defaults to `100`.
        min_length: Integer. Shortest hypothesis in tokens, the end token
            counted. Defaults to `0`.
        constraints: List of names, configs or instances of `Constraint`.
            Defaults to none.

    Example:

    >>> logits = keras.ops.log(np.array([[0.0, 0.0, 0.1, 0.5, 0.4]] * 6))
    >>> search = k2s.search.Sampling(num_samples=3, max_length=5)
    >>> def step(token_ids, states, cache, index):
    ...     return logits, states, cache, None
    >>> results = search(
    ...     step,
    ...     states=keras.ops.zeros((2, 1)),
    ...     start_token_id=1, end_token_id=2, pad_token_id=0,
    ...     inputs={"seed": np.array([7, 7])},
    ... )
    >>> token_ids = keras.ops.convert_to_numpy(results["token_ids"])
    >>> token_ids.shape, bool((token_ids[0] == token_ids[1]).all())
    ((2, 3, 5), True)

    References:
        - [Fan et al., 2018](https://arxiv.org/abs/1805.04833), top-k
        - [Holtzman et al., 2020](https://arxiv.org/abs/1904.09751), top-p
        - [Nguyen et al., 2024](https://arxiv.org/abs/2407.01082), min-p
    """

    distinct = False
    inputs = (SEED,)
    n_best_argument = width_argument = "num_samples"

    def __init__(
        self,
        temperature=1.0,
        *,
        top_k=None,
        top_p=None,
        min_p=None,
        num_samples=1,
        max_length=100,
        min_length=0,
        constraints=(),
    ):
        self.num_samples = check_dimension(num_samples, "num_samples")
        self.width = self.n_best = self.num_samples
        super().__init__(
            max_length, min_length=min_length, constraints=constraints
        )
        self.temperature = check_number(
            temperature, "temperature", LEAST_TEMPERATURE
        )
        self.top_k = top_k
        if top_k is not None:
            self.top_k = check_dimension(top_k, "top_k")
        self.top_p = top_p if top_p is None else check_fraction(top_p, "top_p")
        self.min_p = min_p if min_p is None else check_fraction(min_p, "min_p")

    def _preferences(self, log_probs, context):
        logits = ops.where(
            possible(log_probs), log_probs / self.temperature, IMPOSSIBLE
        )
        if self.top_k is not None:
            logits = keep_top_k(logits, self.top_k, IMPOSSIBLE)
        if self.top_p is not None:
            logits = keep_top_p(logits, self.top_p, IMPOSSIBLE)
        if self.min_p is not None:
            logits = keep_min_p(logits, self.min_p, IMPOSSIBLE)
        seed = context.inputs["seed"]
        number = ops.arange(ops.shape(seed)[0], dtype="int32")
        noise = counter_gumbel(
            ops.expand_dims(seed, 1),
            ops.expand_dims(number % self.num_samples, 1),
            context.index,
            ops.arange(logits.shape[-1], dtype="int32"),
        )
        return logits + noise

    def get_config(self):
        return {
            **super().get_config(),
            "temperature": self.temperature,
            "top_k": self.top_k,
            "top_p": self.top_p,
            "min_p": self.min_p,
            "num_samples": self.num_samples,
        }
