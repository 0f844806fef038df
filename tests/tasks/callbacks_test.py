"""Every method of a task from every hook of a Keras callback."""

import functools

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s

PAIRS = [("abc", "A B C"), ("ab", "A B"), ("cab", "C A B"), ("c", "C")] * 2
TEXTS = ["abc", "ab", "cab", "c"] * 2
SIZES = {"batch_size": 4, "num_buckets": 1, "verbose": 0}
SETTINGS = {
    "search": k2s.search.GreedySearch(max_length=4),
    "num_layers": 1,
    "units": 4,
    "embedding_dim": 3,
    "dropout": 0.2,
}
HOOKS = [
    *(
        f"on_{kind}_{place}"
        for kind in ("train", "test", "predict")
        for place in ("begin", "batch_begin", "batch_end", "end")
    ),
    "on_epoch_begin",
    "on_epoch_end",
]


class Asking(keras.callbacks.Callback):
    """Calls a function of the hook's name; never looks at `self.model`."""

    def __init__(self, function):
        super().__init__()
        self.heard = set()
        for hook in HOOKS:
            setattr(self, hook, functools.partial(self._heard, function, hook))

    def _heard(self, function, hook, *args, **kwargs):
        self.heard.add(hook)
        function(hook)


class Weights(keras.callbacks.Callback):
    """The weights after each batch of training, as Keras gives them."""

    def __init__(self):
        super().__init__()
        self.weights = []

    def on_train_batch_end(self, batch, logs=None):
        self.weights.append(self.model.get_weights())


def translation():
    keras.utils.set_random_seed(1)
    task = k2s.tasks.TextToText.from_corpus(
        PAIRS, "luong_2015", target_tokenizer="symbol", **SETTINGS
    )
    task.compile(keras.optimizers.Adam(0.1, use_ema=True))
    return task, PAIRS, [("ab", "A B")]


def completion():
    keras.utils.set_random_seed(1)
    task = k2s.tasks.TextCompletion.from_texts(
        TEXTS, "zaremba_2014", **SETTINGS
    )
    task.compile(keras.optimizers.Adam(0.1, use_ema=True))
    return task, TEXTS, [("a", "b")]


def ask(task, corpus, folder):
    """All methods that may be called while a task trains."""
    task.generate(["ab"])
    task.generate(["ab"], n_best=1, return_attention_scores=True)
    task.evaluate(corpus[:1], verbose=0)
    task.save(folder / "task")
    if isinstance(task, k2s.tasks.TextCompletion):
        task.next_tokens(["a"])
    else:
        task.generate(["ab"], replace_unknown=True)


def trained(task, corpus, pairs, callback):
    """Losses, logits and weights, with a callback in all three loops."""
    history = task.fit(
        corpus, validation_data=corpus, callbacks=[callback], **SIZES
    )
    data = task.batches(corpus, batch_size=4, num_buckets=1, shuffle=False)
    inputs = data[0][0]
    loss = task.model.evaluate(data, callbacks=[callback], verbose=0)
    logits = task.model.predict(inputs, callbacks=[callback], verbose=0)
    return history.history, loss, logits, task.model.get_weights()


@pytest.mark.parametrize("make", [translation, completion])
def test_a_task_answers_and_training_does_not_notice(make, tmp_path):
    weights, found = Weights(), []
    expected = trained(*make(), weights)
    task, corpus, pairs = make()

    def hear(hook):
        ask(task, corpus, tmp_path)
        score = task.score(pairs)
        if hook == "on_train_batch_end":
            found.append(score)

    callback = Asking(hear)
    keras.tree.map_structure(
        np.testing.assert_array_equal,
        trained(task, corpus, pairs, callback),
        expected,
    )
    assert callback.heard == {*HOOKS}
    # The answers were those of that moment.
    twin, *_ = make()
    for score, moment in zip(found, weights.weights, strict=True):
        twin.model.set_weights(moment)
        np.testing.assert_allclose(score, twin.score(pairs), atol=1e-6)
    loaded = k2s.tasks.load(tmp_path / "task").score(pairs)
    np.testing.assert_allclose(loaded, task.score(pairs), atol=1e-6)


def test_an_inference_model_in_a_callback():
    task, corpus, _ = translation()
    inference = k2s.models.InferenceModel(task.model, "greedy")
    source, found = np.array([[4, 5]]), []

    def hear(hook):
        found.append(inference.predict(source, verbose=0)["scores"])

    task.fit(corpus, callbacks=[Asking(hear)], **SIZES)
    last = inference.predict_on_batch(source)["scores"]
    np.testing.assert_allclose(found[-1], last, atol=1e-6)
    # And a task in one of an `InferenceModel`.
    asking = Asking(lambda hook: found.append(task.generate(["ab"])))
    inference.predict(source, callbacks=[asking], verbose=0)
    assert found[-1] == task.generate(["ab"])
