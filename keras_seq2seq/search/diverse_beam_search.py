import keras
from keras import ops

from keras_seq2seq.ops import flatten_beams
from keras_seq2seq.ops import gather_beams
from keras_seq2seq.ops import reshape_like
from keras_seq2seq.search.beam_search import BeamSearch
from keras_seq2seq.search.candidates import best_of_each
from keras_seq2seq.search.candidates import rank
from keras_seq2seq.search.special import IMPOSSIBLE
from keras_seq2seq.search.special import possible
from keras_seq2seq.utils.checks import check_number
from keras_seq2seq.utils.sizes import check_dimension


@keras.saving.register_keras_serializable("keras_seq2seq")
class DiverseBeamSearch(BeamSearch):
    """Beam search in groups that keep away from each other's tokens.

    At each step the groups choose one after the other. A group ranks its
    continuations by `log P - lambda n`, `lambda` the diversity strength, where
    `n` is how many beams of the groups before have just chosen the same token.
    Ranking is all that this changes: scores stay those of the model. The
    finished hypotheses of all groups are kept together, each once.

    Args:
        num_beams: Integer, a multiple of `num_groups`. Number of live
            hypotheses of all groups. Defaults to `6`.
        num_groups: Integer. Defaults to `3`.
        diversity_strength: Float of at least 0, `lambda`. Defaults to `0.5`.
        **kwargs: The other arguments of `BeamSearch`.

    Example:

    >>> search = k2s.search.DiverseBeamSearch(
    ...     num_beams=2, num_groups=2, diversity_strength=1.0,
    ...     max_length=2, n_best=2,
    ... )
    >>> logits = keras.ops.log(np.array([[0.0, 0.0, 0.1, 0.5, 0.4]] * 2))
    >>> def step(token_ids, states, cache, index):
    ...     return logits, states, cache, None
    >>> results = search(
    ...     step,
    ...     states=keras.ops.zeros((1, 1)),
    ...     start_token_id=1, end_token_id=2, pad_token_id=0,
    ... )
    >>> keras.ops.convert_to_numpy(results["token_ids"])[0].tolist()
    [[3, 3], [4, 3]]

    References:
        - [Vijayakumar et al., 2016](https://arxiv.org/abs/1610.02424),
          algorithm 1, with Hamming diversity
    """

    def __init__(
        self, num_beams=6, *, num_groups=3, diversity_strength=0.5, **kwargs
    ):
        super().__init__(num_beams, **kwargs)
        self.num_groups = check_dimension(num_groups, "num_groups")
        if num_beams % num_groups:
            raise ValueError(
                "`num_beams` must be a multiple of `num_groups`. Received: "
                f"num_beams={num_beams}, num_groups={num_groups}"
            )
        self.diversity_strength = check_number(
            diversity_strength, "diversity_strength", 0.0
        )

    def _first_record(self, states, cache, context):
        # Beams of equal tokens have one number: that of the first of them.
        first = super()._first_record(states, cache, context)
        prefixes = ops.zeros_like(first["last"])
        return {**first, "carried": {**first["carried"], "prefixes": prefixes}}

    def _carry(self, carried, token_ids, context):
        shape, prefixes = (-1, self.num_beams), carried["prefixes"]
        same = _same(
            ops.reshape(prefixes, shape), ops.reshape(token_ids, shape)
        )
        number = ops.argmax(ops.cast(same, "int32"), axis=2)
        carried = super()._carry(carried, token_ids, context)
        prefixes = reshape_like(flatten_beams(number), prefixes)
        return {**carried, "prefixes": prefixes}

    def _choose(self, logits, record, context):
        log_probs = self._log_probs(logits, record, context)
        size = log_probs.shape[-1]
        log_probs = ops.reshape(log_probs, (-1, self.num_beams, size))
        taken, groups = ops.zeros_like(log_probs[:, 0]), []
        for group in range(self.num_groups):
            ranked = self._rank_group(group, log_probs, taken, record)
            groups.append(self._divide(ranked, record, context, size))
            _, live = groups[-1]
            chosen = ops.one_hot(live["tokens"], size, dtype="float32")
            real = ops.cast(possible(live["scores"]), "float32")
            taken = taken + ops.sum(chosen * ops.expand_dims(real, 2), axis=1)
        ended, live = keras.tree.map_structure(
            lambda *parts: ops.concatenate(parts, axis=1), *groups
        )
        prefixes = record["carried"]["prefixes"]
        prefixes = ops.reshape(prefixes, (-1, self.num_beams))
        again = _again(ended, gather_beams(prefixes, ended["parents"]))
        ended["scores"] = ops.where(again, IMPOSSIBLE, ended["scores"])
        return ended, live

    def _rank_group(self, group, log_probs, taken, record):
        """The ranked candidates of one group, and what ranks them.

        Args:
            log_probs: Of all beams, `(batch_size, num_beams, size)`.
            taken: How often the groups before have chosen a token,
                `(batch_size, size)`.
        """
        size = self.group_size
        first = group * size
        own = log_probs[:, first : first + size]
        live = record["live"][:, first : first + size]
        preferences = own - self.diversity_strength * ops.expand_dims(taken, 1)
        preferences, tokens = best_of_each(
            flatten_beams(preferences), size, 2 * size
        )
        candidates, order = rank(
            ops.take_along_axis(own, tokens, axis=2),
            tokens,
            live,
            order=preferences + ops.expand_dims(live, 2),
        )
        candidates["parents"] = candidates["parents"] + first
        return candidates, order

    def get_config(self):
        return {
            **super().get_config(),
            "num_groups": self.num_groups,
            "diversity_strength": self.diversity_strength,
        }


def _same(prefixes, tokens):
    """Which hypotheses are equal, `(batch_size, n, n)`.

    Args:
        prefixes, tokens: Integers of shape `(batch_size, n)`: the numbers of
            what comes before, and the last tokens.
    """

    def pairs(x):
        return ops.expand_dims(x, 2) == ops.expand_dims(x, 1)

    return pairs(prefixes) & pairs(tokens)


def _again(ended, prefixes):
    """Which ended hypotheses another group has ended before."""
    real = possible(ended["scores"])
    same = _same(prefixes, ended["tokens"]) & ops.expand_dims(real, 1)
    place = ops.arange(ended["tokens"].shape[1], dtype="int32")
    before = ops.expand_dims(place, 0) < ops.expand_dims(place, 1)
    return ops.any(same & before, axis=2)
