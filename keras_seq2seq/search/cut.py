"""Hypotheses that are cut at `max_length`: only where constraints let them.

All is decided at the last step alone: no other step pays for it.
"""

from keras import ops

from keras_seq2seq.ops import flatten_beams
from keras_seq2seq.ops import gather_beams
from keras_seq2seq.ops import repeat_rows
from keras_seq2seq.ops import take_rows
from keras_seq2seq.search.special import IMPOSSIBLE
from keras_seq2seq.utils.axes import check_axes


def unfinished_paths(search, states, ended, context, vocabulary_size):
    """Which paths are cut after this step where they may not stop.

    Args:
        search: `Search` with constraints.
        states: Of its constraints, after the step's token.
        ended: Booleans of shape `(rows,)`.
        context: `StepContext`.
        vocabulary_size: Integer.

    Returns:
        Booleans of shape `(rows,)`.
    """

    def at_the_cut():
        shape = ops.shape(ended)[0], vocabulary_size
        return ~ended & ~_may_stop(search, states, context, shape)

    return ops.cond(
        context.index + 1 >= search.max_length,
        at_the_cut,
        lambda: ops.zeros_like(ended),
    )


def finishable(search, candidates, order, states, context, vocabulary_size):
    """Ranked candidates; at the cut, those that may not stop come last.

    Their score is `IMPOSSIBLE` then.

    Args:
        search: `BeamSearch`.
        candidates, order: Of `rank`, `(batch_size, n)`.
        states: Of the constraints, before the step's token.
        context: `StepContext`.
        vocabulary_size: Integer.

    Returns:
        Candidates and order.
    """
    if not search.constraints:
        return candidates, order

    def at_the_cut():
        tokens = candidates["tokens"]
        last, n = flatten_beams(tokens), tokens.shape[1]
        before = take_rows(states, candidates["parents"], search.num_beams)
        after = [
            constraint.next_state(state, last, context.index)
            for constraint, state in zip(search.constraints, before)
        ]
        inputs = repeat_rows(context.source_inputs, n)
        shape = ops.shape(last)[0], vocabulary_size
        may_stop = _may_stop(
            search, after, context._replace(inputs=inputs), shape
        )
        may_stop = may_stop | (last == context.end_token_id)
        may_stop = ops.reshape(may_stop, ops.shape(tokens))
        return _rank_again(candidates, order, may_stop)

    return ops.cond(
        context.index + 1 >= search.max_length,
        at_the_cut,
        lambda: (candidates, order),
    )


def _may_stop(search, states, context, shape):
    """Whether all constraints let hypotheses of `max_length` tokens stop.

    Args:
        states: Of the constraints, after the last token.
        context: `StepContext`, its inputs `rows` in front.
        shape: `(rows, vocabulary_size)`.

    Returns:
        Booleans of shape `(rows,)`.
    """
    length = ops.convert_to_tensor(search.max_length, "int32")
    context = context._replace(index=length)
    free = ops.zeros(shape, "float32")
    verdict = ops.ones((shape[0],), "bool")
    for constraint, state in zip(search.constraints, states):
        may = ops.convert_to_tensor(constraint.may_stop(free, state, context))
        name = f"{type(constraint).__name__}.may_stop"
        check_axes({name: may}, {name: (verdict.shape[0], 1)})
        verdict = verdict & ops.cast(ops.squeeze(may, 1), "bool")
    return verdict


def _rank_again(candidates, order, possible):
    scores = ops.where(possible, candidates["scores"], IMPOSSIBLE)
    order = ops.where(possible, order, IMPOSSIBLE)
    order, places = ops.top_k(order, order.shape[1])
    places = ops.cast(places, "int32")
    candidates = {**candidates, "scores": scores}
    return {n: gather_beams(x, places) for n, x in candidates.items()}, order
