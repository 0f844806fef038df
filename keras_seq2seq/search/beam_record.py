"""What a beam search remembers before its first step."""

from keras import ops

from keras_seq2seq.ops import gather_beams
from keras_seq2seq.search.special import IMPOSSIBLE


def first_beams(rows, search, problem):
    """Dict of the history of the live beams and the finished hypotheses.

    Only tokens and parents are kept, time in front: a walk back in time after
    the search makes hypotheses of them.
    """
    history = {
        "tokens": (problem.pad_token_id, "int32"),
        "parents": (0, "int32"),
    }
    if problem.return_log_probs:
        history["log_probs"] = (0.0, "float32")
    finished = {
        **history,
        "scores": (IMPOSSIBLE, "float32"),
        "lengths": (0, "int32"),
    }
    shape = search.max_length, rows, search.num_beams
    return {
        "history": {n: ops.full(shape, *x) for n, x in history.items()},
        "finished": {
            name: ops.full((rows, search.n_best), *entry)
            for name, entry in finished.items()
        },
        "count": ops.zeros((rows,), "int32"),
        "done": ops.zeros((rows,), "bool"),
    }


def first_live(num_beams, num_groups=1):
    """Log-probabilities `(num_beams,)`: one beam a group, the others empty."""
    place = ops.arange(num_beams, dtype="int32") % (num_beams // num_groups)
    return ops.cast(place > 0, "float32") * IMPOSSIBLE


def best_finished(old, new):
    """Of finished hypotheses, as many as `old` has: the best of both."""
    both = {
        name: ops.concatenate([x, new[name]], axis=1) for name, x in old.items()
    }
    _, best = ops.top_k(both["scores"], old["scores"].shape[1])
    return {name: gather_beams(x, best) for name, x in both.items()}
