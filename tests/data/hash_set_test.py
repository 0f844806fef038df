import numpy as np

from keras_seq2seq.data.hash_set import HashSet


def test_against_a_set():
    numbers = np.random.default_rng(0).integers(-(2**63), 2**63, 3000)
    numbers = [*numbers.tolist(), *range(1, 11), *numbers[:100].tolist()]
    ours, expected = HashSet(), set()
    for number in numbers:
        assert ours.add(number) == (number not in expected)
        expected.add(number)
    assert len(ours) == len(expected) == 3010


def test_collisions():
    ours = HashSet()
    numbers = [1 + 2**20 * i for i in range(50)]  # of one place
    assert all(map(ours.add, numbers))
    assert not any(map(ours.add, numbers))
