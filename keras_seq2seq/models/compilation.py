"""The one place that decides how a model is compiled, backend by backend."""

import keras
from keras import ops

from keras_seq2seq.utils.variables import all_variables

MOST_BUCKETS = 8
BATCHES = 100  # that pay for one more program of XLA


def is_jax():
    """Whether variables lend their values to compiled functions."""
    return keras.backend.backend() == "jax"


def jit_compile():
    """True on JAX, whose steps are always compiled; False elsewhere.

    TensorFlow runs a graph of its own, PyTorch runs eagerly: on these two XLA
    and dynamo compile each shape for longer than they save.
    """
    return is_jax()


def default_buckets(batches):
    """Shapes that training for a number of batches should have: an integer.

    8, which pads little. Where each is compiled by XLA, which takes as long
    as some dozens of batches, one for each 100 batches at most.

    Args:
        batches: Integer, over all epochs.
    """
    if not jit_compile():
        return MOST_BUCKETS
    return min(MOST_BUCKETS, max(1, batches // BATCHES))


def predict_function(model):
    """What Keras's JAX trainer predicts with, but it leaves its state alone.

    Keras's own gives the memory of the state away and returns a copy.
    """

    def outputs_of(state, data):
        return model.predict_step(state, data)[0]

    if model.jit_compile and not model.run_eagerly:
        import jax

        outputs_of = jax.jit(outputs_of)
    return model._make_function(
        lambda state, data: (outputs_of(state, data), state),
        concatenate_outputs=True,
    )


def own_values(model):
    """Give each variable a value of its own, which a step may give away.

    Under JAX `assign` shares a value between two variables, as at the end of
    training with the moving average of an optimizer, and a step of training or
    evaluation gives the memory of its variables away.
    """
    if is_jax():
        model.jax_state_sync()
        for variable in all_variables(model):
            variable.assign(ops.copy(variable.value))


def count_alone(function):
    """Let TensorFlow count the traces of a model's function by themselves.

    It warns of retracing where 5 of 10 calls trace, and counts all functions
    that come from one line of code together: for those that Keras makes, the
    first traces of all models. Counted alone, a function that is traced too
    often is still warned of.

    Args:
        function: What `make_predict_function`, `make_train_function` or
            `make_test_function` of Keras made, under any backend.
    """
    cells = getattr(function, "__closure__", None) or ()
    parts = [function, *(cell.cell_contents for cell in cells)]
    parts += [getattr(part, "__wrapped__", None) for part in parts]
    for part in parts:
        if hasattr(part, "python_function"):  # a `tf.function`
            part._key_for_call_stats = part.python_function


def steps_per_execution(steps):
    """`steps`, or 1 on PyTorch, where Keras runs them one by one."""
    return 1 if keras.backend.backend() == "torch" else steps
