"""One task that many threads ask at once."""

import concurrent.futures
import json
import threading
import warnings

import numpy as np
import pytest

from keras_seq2seq import search as searches
from keras_seq2seq.tasks.description import DESCRIPTION
from keras_seq2seq.tasks.description import WEIGHTS
from keras_seq2seq.tasks.weights_file import WeightsFile
from tests.fixtures import trained_task

WORDS = ["attention", "a", "testing", "keras"]
ROUNDS = 3


@pytest.fixture
def task():
    task = trained_task("luong_2015")  # nothing is made or compiled yet
    task.search = searches.BeamSearch(2, max_length=6)
    return task


def questions(task):
    """Eight of them, each with a search or a method of its own."""
    beam = searches.BeamSearch(3, max_length=6, length_penalty="wu")
    diverse = searches.DiverseBeamSearch(2, num_groups=2, max_length=6)
    sampling = searches.Sampling(max_length=6)
    pairs = [(word, "T EH S T") for word in WORDS]
    return [
        lambda: task.generate(WORDS),
        lambda: task.generate(WORDS, search=beam, n_best=2),
        lambda: task.generate(WORDS, search=diverse),
        lambda: task.generate(WORDS, search=sampling, seed=1),
        lambda: task.generate(WORDS[:2], search="greedy", n_best=1),
        lambda: task.generate(WORDS[1:], replace_unknown=True),
        lambda: task.score(pairs),
        lambda: task.generate(WORDS, prefixes="K"),
    ]


def test_eight_threads(task):
    asked = questions(task)
    start = threading.Barrier(len(asked), timeout=60)

    def ask(question):
        start.wait()
        return [question() for _ in range(ROUNDS)]

    with concurrent.futures.ThreadPoolExecutor(len(asked)) as pool:
        found = list(pool.map(ask, asked))
    alone = trained_task("luong_2015")
    alone.search = task.search
    expected = [question() for question in questions(alone)]
    assert found == [[answer] * ROUNDS for answer in expected]


def test_saving_from_eight_threads(task, tmp_path):
    """Each folder is whole, and the model stays as it was."""
    task.compile("adam")
    optimizer, rounds = task.model.optimizer, 5
    filters = [*warnings.filters]
    start = threading.Barrier(8, timeout=60)

    def save(number):
        path, found = tmp_path / str(number), []
        start.wait()
        for _ in range(rounds):
            task.save(path, include_optimizer=number % 4 != 0)
            description = json.loads((path / DESCRIPTION).read_text())
            weights = WeightsFile(path / WEIGHTS)
            found.append(("optimizer" in description, weights.optimizer_size))
            assert description.get("optimizer", {}) is not None
            assert task.model.compiled and task.model.optimizer is optimizer
        return found

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(save, range(8)))
    size = len(optimizer.variables)
    expected = [(False, 0) if n % 4 == 0 else (True, size) for n in range(8)]
    assert found == [[each] * rounds for each in expected]
    assert warnings.filters == filters
    task.fit([("a", "T EH S T")], verbose=0)


def test_one_compilation_for_all_threads(task):
    """Threads that come at once share what is made, and its function."""
    start = threading.Barrier(4, timeout=60)

    def ask(_):
        start.wait()
        task.generate(WORDS[:1])

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(ask, range(4)))
    (inference,) = task._cached[1].values()
    function = inference.predict_function
    assert function is not None
    task.generate(WORDS[:1])
    assert inference.predict_function is function


def test_weights_that_are_set_stay(task):
    """No question that was underway puts the old ones back."""
    task.generate(WORDS)
    weights = [np.zeros_like(w) for w in task.model.get_weights()]
    stop = threading.Event()

    def ask():
        while not stop.is_set():
            task.generate(WORDS)

    thread = threading.Thread(target=ask)
    thread.start()
    for _ in range(20):
        task.model.set_weights(weights)
    stop.set()
    thread.join()
    for weight in task.model.get_weights():
        np.testing.assert_array_equal(weight, 0)
