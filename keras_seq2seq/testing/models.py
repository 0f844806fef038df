import keras
import numpy as np

from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.testing import laws
from keras_seq2seq.testing.batches import map_arrays
from keras_seq2seq.testing.batches import own_batch
from keras_seq2seq.testing.checks import EAGERLY
from keras_seq2seq.testing.checks import HALF
from keras_seq2seq.testing.checks import assert_finite
from keras_seq2seq.testing.checks import assert_same_from_file
from keras_seq2seq.testing.checks import check
from keras_seq2seq.testing.checks import with_policy
from keras_seq2seq.testing.model_batch import model_batch
from keras_seq2seq.testing.serialization import run_serialization_test
from keras_seq2seq.utils.checks import check_type


def run_model_test(model, batch=None, *, policies=HALF):
    """Check the laws of a `Seq2Seq`, on copies of it with its weights.

    A step equals the sequence; padding, neighbours and the future are
    invisible, to logits, loss, metrics and hypotheses; steps are pure; config
    and `.keras` file give the same model again; half precision is finite.

    Args:
        model: `Seq2Seq`, trained or not. An `attention_loss` is left out. A
            raw source is padded where its mask is an input of the model.
        batch: Tuple of inputs, a dict of arrays, targets and sample weights,
            as `fit` takes them; targets are padded at the end. Defaults to
            `None`: four sources, one of them all padding.
        policies: Names of dtype policies that must stay finite.

    Example:

    >>> model = k2s.models.Seq2Seq.from_preset(
    ...     "luong_2015", units=4, embedding_dim=3,
    ...     source_vocabulary_size=6, target_vocabulary_size=7,
    ... )
    >>> k2s.testing.run_model_test(model, policies=())
    """
    check_type(model, "model", Seq2Seq)
    copy = run_serialization_test(model)
    copy.set_weights(model.get_weights())
    if copy.attention_loss is not None:
        copy = _without_attention_loss(copy)
    copy.compile("sgd")
    batch = model_batch(copy) if batch is None else _own(batch, copy)
    logits = copy.predict_on_batch(batch[0])
    laws.step_equals_sequence(copy, batch[0], logits)
    laws.future_is_invisible(copy, batch[0], logits)
    laws.neighbours_are_invisible(copy, batch[0], logits)
    laws.padding_is_invisible(copy, batch, logits)
    laws.masked_values_are_invisible(copy, batch[0], logits)
    laws.hypotheses_are_stable(copy, batch)
    assert_same_from_file(copy, batch[0], logits)
    for policy in policies:
        _check_half_precision(copy, policy, batch)


def _own(batch, model):
    inputs, targets, weights = batch
    names = {model.target.input_name}
    for source in model.sources.values():
        names |= {source.input_name}
        names |= {source.mask_name} if source.use_padding_mask else set()
    own_batch(inputs, dict.fromkeys(names))
    return map_arrays(np.asarray, (dict(inputs), targets, weights))


def _without_attention_loss(model):
    """The same model with logits alone, and without the loss's weights."""
    config = {**model.get_config(), "attention_loss": None}
    bare = type(model).from_config(config)
    of_the_loss = {id(weight) for weight in model.attention_loss.weights}
    bare.set_weights(
        [weight for weight in model.weights if id(weight) not in of_the_loss]
    )
    return bare


def _check_half_precision(model, policy, batch):
    """Loss and gradient, by a step of training under a dtype policy."""
    before = keras.config.dtype_policy()
    keras.config.set_dtype_policy(policy)
    try:
        config = with_policy(model.get_config(), policy)
        half = type(model).from_config(config)
    finally:
        keras.config.set_dtype_policy(before)
    half.set_weights(model.get_weights())
    half.compile(
        keras.optimizers.SGD(0.1),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        auto_scale_loss=False,  # it would hide a gradient that is not finite
        run_eagerly=EAGERLY,
    )
    inputs, targets, weights = batch
    loss = half.train_on_batch(inputs, targets, weights)
    assert_finite(np.asarray(loss), f"the loss under {policy}")
    assert_finite(half.get_weights(), f"the gradient under {policy}")
    changed = [
        not np.array_equal(a, b)
        for a, b in zip(half.get_weights(), model.get_weights())
    ]
    check(any(changed), f"No gradient under {policy}.")
