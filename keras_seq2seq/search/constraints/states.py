"""The states of constraints: nested tensors, `rows` in front."""

import keras

from keras_seq2seq.ops import states_like
from keras_seq2seq.search.step_checks import check_unchanged
from keras_seq2seq.search.step_checks import tensors_of
from keras_seq2seq.utils.axes import check_axes


def first_states(constraints, rows, max_length):
    """List of the states of all constraints before the first token."""
    states = []
    for constraint in constraints:
        name = f"{type(constraint).__name__}.first_state"
        state = constraint.first_state(rows, max_length)
        state = tensors_of(state, name)
        size = rows if isinstance(rows, int) else "rows"
        for x in keras.tree.flatten(state):
            check_axes({name: x}, {name: (size, ...)})
        states.append(state)
    return states


def next_states(constraints, states, token_ids, index):
    """The same after `token_ids` of shape `(rows,)`."""
    after = []
    for constraint, state in zip(constraints, states):
        new = constraint.next_state(state, token_ids, index)
        giver = f"{type(constraint).__name__}.next_state"
        check_unchanged(new, state, "state", giver)
        after.append(states_like(new, state))
    return after
