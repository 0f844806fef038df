import numpy as np
from keras import ops

WIDTH = 6


class FakeLanguage:
    """A step function without a model: a tiny random recurrent network.

    Its logits depend on the whole prefix and on the row of the first states,
    so a search that mixes up beams, rows or positions gives wrong scores.
    `log_probs` computes the same in NumPy, in float64.

    Args:
        vocabulary_size: Integer.
        seed: Integer. Defaults to `0`.

    Example:

    >>> language = k2s.testing.FakeLanguage(5)
    >>> states = language.first_states(batch_size=2)
    >>> logits, *_ = language.step(keras.ops.array([1, 1]), states, (), 0)
    >>> tuple(logits.shape)
    (2, 5)
    """

    def __init__(self, vocabulary_size, *, seed=0):
        rng = np.random.default_rng(seed)
        shapes = (WIDTH, WIDTH), (vocabulary_size, WIDTH)
        self.recurrent, self.embedding = (rng.normal(size=s) for s in shapes)
        self.output = 1.5 * rng.normal(size=(WIDTH, vocabulary_size))
        self.rng = rng

    def first_states(self, batch_size):
        """Nested float states, other ones at each call."""
        hidden = self.rng.normal(size=(batch_size, WIDTH)).astype("float32")
        return {
            "hidden": ops.convert_to_tensor(hidden),
            "counts": [ops.zeros((batch_size, 1))],
        }

    def first_cache(self):
        """A cache that counts the steps: a tensor of an odd shape."""
        return {"steps": ops.zeros((1, 3))}

    def step(self, token_ids, states, cache, index):
        """As a `Search` wants it; a wrong index or cache distorts the logits.

        Args:
            token_ids, states, index: As for a `Search`.
            cache: Of `first_cache`, or `()`.
        """
        embedded = ops.take(_tensor(self.embedding), token_ids, axis=0)
        hidden = ops.matmul(states["hidden"], _tensor(self.recurrent))
        hidden = ops.tanh(hidden + embedded)
        count = states["counts"][0]
        wrong = count - ops.cast(index, "float32")
        logits = ops.matmul(hidden, _tensor(self.output)) * (1.0 + wrong)
        states = {"hidden": hidden, "counts": [count + 1.0]}
        if cache:
            steps = cache["steps"]
            wrong = ops.max(ops.abs(steps - ops.cast(index, "float32")))
            logits = logits * (1.0 + wrong)
            cache = {"steps": steps + 1.0}
        return logits, states, cache, None

    def log_probs(self, first_states, prefixes):
        """Log-probabilities of the token after each prefix, in NumPy.

        Args:
            first_states: Of `first_states`.
            prefixes: Integer array of shape `(batch_size, n, length)`, from
                the start token on.

        Returns:
            Float64 array of shape `(batch_size, n, vocabulary_size)`.
        """
        hidden = ops.convert_to_numpy(first_states["hidden"])[:, None]
        for token_ids in np.moveaxis(prefixes, -1, 0):
            embedded = self.embedding[token_ids]
            hidden = np.tanh(hidden @ self.recurrent + embedded)
        logits = hidden @ self.output
        norm = np.log(np.sum(np.exp(logits), axis=-1, keepdims=True))
        return logits - norm


def _tensor(x):
    return ops.convert_to_tensor(x.astype("float32"))
