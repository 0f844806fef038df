"""Hypotheses that are cut at `max_length`: only where constraints let them.

All is decided at the last step alone: no other step pays for it.
"""

from keras import ops

from keras_seq2seq.ops import flatten_beams
from keras_seq2seq.ops import gather_beams
from keras_seq2seq.ops import repeat_rows
from keras_seq2seq.ops import take_rows
from keras_seq2seq.search.constraints.step_context import StepContext
from keras_seq2seq.search.special import IMPOSSIBLE


def unfinished_paths(search, constraints, ended, index, problem, size):
    """Which paths are cut after `index` where they may not stop.

    Args:
        search: `Search` with constraints.
        constraints: States of its constraints after the token at `index`.
        ended: Booleans of shape `(rows,)`.
        index: Integer scalar tensor.
        problem: `Problem`.
        size: Integer, the size of the vocabulary.

    Returns:
        Booleans of shape `(rows,)`.
    """

    def at_the_cut():
        inputs, shape = problem.row_inputs, (ops.shape(ended)[0], size)
        return ~ended & ~_may_stop(search, constraints, inputs, problem, shape)

    return ops.cond(
        index + 1 >= search.max_length,
        at_the_cut,
        lambda: ops.zeros_like(ended),
    )


def finishable(search, candidates, order, record, problem, size):
    """Ranked candidates; at the cut, those that may not stop come last.

    Their score is `IMPOSSIBLE` then.

    Args:
        search: `BeamSearch`.
        candidates, order: Of `ranked`, `(batch_size, n)`.
        record: Of the loop.
        problem: `Problem`.
        size: Integer, the size of the vocabulary.

    Returns:
        Candidates and order.
    """
    if not search.constraints:
        return candidates, order
    index = record["index"]

    def at_the_cut():
        parents, tokens = candidates["parents"], candidates["tokens"]
        last, n = flatten_beams(tokens), tokens.shape[1]
        states = [
            constraint.next_state(state, last, index)
            for constraint, state in zip(
                search.constraints,
                take_rows(record["constraints"], parents, search.num_beams),
            )
        ]
        inputs, shape = (
            repeat_rows(problem.inputs, n),
            (ops.shape(last)[0], size),
        )
        may_stop = _may_stop(search, states, inputs, problem, shape)
        may_stop = may_stop | (last == problem.end_token_id)
        may_stop = ops.reshape(may_stop, ops.shape(tokens))
        return _ranked_again(candidates, order, may_stop)

    return ops.cond(
        index + 1 >= search.max_length,
        at_the_cut,
        lambda: (candidates, order),
    )


def _may_stop(search, states, inputs, problem, shape):
    """Whether all constraints let hypotheses of `max_length` tokens stop.

    Args:
        states: Of the constraints, after the last token.
        inputs: Dict of data inputs, `rows` in front.
        shape: `(rows, vocabulary_size)`.

    Returns:
        Booleans of shape `(rows,)`.
    """
    length = ops.convert_to_tensor(search.max_length, "int32")
    context = StepContext(
        length, inputs, problem.end_token_id, problem.pad_token_id
    )
    free = ops.zeros(shape, "float32")
    verdict = ops.ones((shape[0],), "bool")
    for constraint, state in zip(search.constraints, states):
        verdict = verdict & ops.squeeze(
            constraint.may_stop(free, state, context), 1
        )
    return verdict


def _ranked_again(candidates, order, possible):
    scores = ops.where(possible, candidates["scores"], IMPOSSIBLE)
    order = ops.where(possible, order, IMPOSSIBLE)
    order, places = ops.top_k(order, order.shape[1])
    places = ops.cast(places, "int32")
    candidates = {**candidates, "scores": scores}
    return {n: gather_beams(x, places) for n, x in candidates.items()}, order
