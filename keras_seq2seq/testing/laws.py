"""The laws of a `Seq2Seq`, one function each.

Each takes a compiled model, inputs of `model_batch` and their logits.
"""

import keras
import numpy as np
from keras import ops

from keras_seq2seq.models import InferenceModel
from keras_seq2seq.models.model_sources import sources_config
from keras_seq2seq.search import BeamSearch
from keras_seq2seq.testing.batches import map_arrays
from keras_seq2seq.testing.batches import other_rows
from keras_seq2seq.testing.batches import row_count
from keras_seq2seq.testing.batches import rows_of
from keras_seq2seq.testing.checks import EAGERLY
from keras_seq2seq.testing.checks import assert_close
from keras_seq2seq.testing.checks import assert_same_hypotheses
from keras_seq2seq.testing.checks import attributes
from keras_seq2seq.testing.checks import check
from keras_seq2seq.testing.checks import to_numpy
from keras_seq2seq.testing.model_batch import END
from keras_seq2seq.testing.model_batch import START
from keras_seq2seq.testing.model_batch import source_mask
from keras_seq2seq.testing.model_batch import with_more_padding


def step_equals_sequence(model, inputs, logits):
    """Law 1, and law 12: a step is pure."""
    tensors = keras.tree.map_structure(ops.convert_to_tensor, inputs)
    token_ids = model.decoder_token_ids(tensors)
    cache, states = model.initialize(tensors, max_length=token_ids.shape[1])
    for t in range(token_ids.shape[1]):
        step = token_ids[:, t], states, cache, t
        once, before = model.decode_step(*step), attributes(model)
        again, after = model.decode_step(*step), attributes(model)
        assert_close(once[0], logits[:, t], f"step {t} against the sequence")
        assert_close(again, once, f"step {t} again", tolerance=0)
        check(before == after, "A step changes an attribute of the model.")
        _, states, cache, _ = once
    check(not model.losses, "A step adds a loss.")


def future_is_invisible(model, inputs, logits):
    """Law 4: target token t changes no logit before it."""
    name, size = model.target.input_name, model.target.vocabulary_size
    steps = range(1, inputs[name].shape[1])
    changed = []
    for t in steps:
        other = inputs[name].copy()
        other[:, t:] = (other[:, t:] + 1) % size
        changed.append({**inputs, name: other})
    for t, new in zip(steps, _predict_each(model, changed)):
        assert_close(new[:, :t], logits[:, :t], f"before token {t}")
        check(not np.allclose(new[:, t], logits[:, t]), f"Token {t} unseen.")


def _predict_each(model, batches):
    """List of the logits of batches of one shape.

    Op by op one large batch is as fast as a small one; a compiled model would
    have to be compiled for it.
    """
    if not (EAGERLY and model.run_eagerly):
        return [model.predict_on_batch(batch) for batch in batches]
    whole = map_arrays(lambda *x: np.concatenate(x), *batches)
    return np.split(model.predict_on_batch(whole), len(batches))


def neighbours_are_invisible(model, inputs, logits):
    """Law 3: other rows in another order change nothing."""
    order = other_rows(len(logits))
    new = model.predict_on_batch(rows_of(inputs, order))
    assert_close(new, logits[order], "other neighbours")


def padding_is_invisible(model, batch, logits):
    """Law 2: more columns change no logit, no loss and no metric."""
    inputs, targets, weights = batch
    length = targets.shape[1]
    expected = _loss(logits, targets, weights)
    right = np.sum((logits.argmax(-1) == targets) * weights)
    accuracy = np.float32(right / np.sum(weights))
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    wide = with_more_padding(model, *batch)
    for name, (x, y, sample_weight) in {"as is": batch, "wide": wide}.items():
        new = model(x)  # it has a mask
        assert_close(new[:, :length], logits, f"logits, {name}")
        assert_close(loss(y, new, sample_weight), expected, f"loss, {name}")
        metric = keras.metrics.SparseCategoricalAccuracy()
        metric.update_state(y, new, sample_weight=sample_weight)
        assert_close(metric.result(), accuracy, f"accuracy, {name}")
    mean = keras.losses.SparseCategoricalCrossentropy(
        from_logits=True, reduction="mean_with_sample_weight"
    )
    assert_close(mean(targets, logits, weights), expected, "weighted mean")


def _loss(logits, targets, weights):
    """Mean negative log-likelihood of a real token, in float64."""
    logits = logits.astype("float64")
    norm = np.log(np.sum(np.exp(logits), axis=-1))
    chosen = np.take_along_axis(logits, targets[..., None], -1)[..., 0]
    return np.float32(np.sum((norm - chosen) * weights) / np.sum(weights))


def masked_values_are_invisible(model, inputs, logits):
    """Law 2: any values under an explicit mask, and padding that counts."""
    for name, source in model.sources.items():
        if source.can_be_padded:
            _check_explicit_mask(model, name, inputs, logits)


def _check_explicit_mask(model, name, inputs, logits):
    source, twin = model.sources[name], _with_explicit_mask(model, name)
    values = inputs[source.input_name]
    mask = source.mask(inputs)
    mask = source_mask(*values.shape[:2]) if mask is None else to_numpy(mask)
    inputs = {**inputs, source.mask_name: mask}
    masked = twin.predict_on_batch(inputs)
    ids = source.vocabulary_size is not None
    if ids or model.sources[name].use_padding_mask:
        assert_close(masked, logits, "the explicit mask")
    other = (values + 1) % source.vocabulary_size if ids else values + 1
    shown = mask.reshape(*mask.shape, *[1] * (values.ndim - 2))
    noise = {**inputs, source.input_name: np.where(shown, values, other)}
    assert_close(twin.predict_on_batch(noise), masked, "values under the mask")
    if ids:
        other = np.full_like(values, source.pad_token_id)
    counting = {**inputs, source.input_name: np.where(shown, other, values)}
    new = twin.predict_on_batch(counting)
    check(
        not np.allclose(new, masked),
        "Values are masked although the explicit mask is True there.",
    )


def _with_explicit_mask(model, name):
    """The same model, that takes the mask of a source as an input."""
    source = model.sources[name]
    masked = {**source.get_config(), "use_padding_mask": True}
    sources = {**model.sources, name: type(source).from_config(masked)}
    config = {**model.get_config(), **sources_config(sources)}
    twin = type(model).from_config(config)
    twin.set_weights(model.get_weights())
    twin.compile(run_eagerly=EAGERLY)
    return twin


def hypotheses_are_stable(model, batch):
    """Laws 2 and 3 for beam search: padding and neighbours are invisible."""
    beams = min(5, model.target.vocabulary_size)
    search = BeamSearch(num_beams=beams, n_best=beams, max_length=6)
    inference = InferenceModel(
        model,
        search,
        start_token_id=START,
        end_token_id=END,
        return_attention_scores=True,
    )
    inference.run_eagerly = EAGERLY
    inputs = _without_target(model, batch[0])
    found = inference.predict_on_batch(inputs)
    wide = inference.predict_on_batch(
        _without_target(model, with_more_padding(model, *batch)[0])
    )
    assert_same_hypotheses(wide, found, "hypotheses under more padding")
    order = other_rows(row_count(inputs))
    shuffled = inference.predict_on_batch(rows_of(inputs, order))
    expected = rows_of(found, order)
    assert_same_hypotheses(shuffled, expected, "hypotheses, other neighbours")
    _check_attention(to_numpy(found), model, inputs)


def _check_attention(found, model, inputs):
    """Attention scores of tokens sum to 1 at most, and to 0 at padding."""
    length = found["token_ids"].shape[-1]
    counts = np.arange(length) < found["lengths"][..., None]
    scores = found["attention_scores"]
    check(scores.min() >= 0, "An attention score below 0.")
    check(scores.sum(-1).max() < 1 + 1e-5, "Attention scores beyond 1.")
    check(not np.any(scores[~counts]), "Attention after the end.")
    # A memory may be shorter than its source.
    tensors = keras.tree.map_structure(ops.convert_to_tensor, inputs)
    memory, mask, *_ = model.encode(tensors)
    if mask is None or isinstance(memory, dict):
        return  # where attention to several goes is up to their cell
    assert_close(
        scores * ~to_numpy(mask)[:, None, None],
        np.zeros_like(scores),
        "attention to padding",
    )


def _without_target(model, inputs):
    target = model.target.input_name
    return {name: x for name, x in inputs.items() if name != target}
