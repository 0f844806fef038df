import numpy as np
import pytest
from keras import ops

from keras_seq2seq.ops import counter_gumbel
from keras_seq2seq.ops import counter_hash
from keras_seq2seq.ops import counter_uniform
from tests.helpers.numpy_hash import numpy_hash

FIXTURE = {  # of seeds and counters
    (0,): 0,
    (1,): 114555507,
    (-7,): -1322428040,
    (2147483647,): 1826272065,
    (0, 0): -1257221025,
    (0, 1): 520597352,
    (1, 0): 2047226697,
    (5, 0, 3, 17): -111968299,
    (-2147483648, 1, 2, 7999): 568479174,
}
DRAWN = np.arange(200)[:, None], np.arange(500)


def to_numpy(function, *counters):
    counters = [ops.array(c, "int32") for c in counters]
    return ops.convert_to_numpy(function(*counters))


@pytest.mark.parametrize("counters, expected", FIXTURE.items())
def test_fixture(counters, expected):
    assert numpy_hash(*counters) == expected
    assert to_numpy(counter_hash, *counters) == expected


def test_against_python():
    rng = np.random.default_rng(0)
    counters = rng.integers(-(2**31), 2**31, (4, 300)).tolist()
    expected = [numpy_hash(*c) for c in zip(*counters)]
    assert to_numpy(counter_hash, *counters).tolist() == expected


def test_broadcasts():
    found = to_numpy(counter_hash, *DRAWN)
    assert found.shape == (200, 500)
    assert found[7, 9] == numpy_hash(7, 9)
    assert len(np.unique(found)) > 99_980  # of 100,000


def test_uniform():
    found = to_numpy(counter_uniform, *DRAWN)
    assert found.dtype == "float32" and 0 < found.min() < found.max() < 1
    assert found[3, 4] == ((numpy_hash(3, 4) >> 9) % 2**23 + 0.5) / 2**23
    counts = np.histogram(found, 50, (0, 1))[0]
    assert chi_square(counts, 2000) < 1.5
    # Neither neighbouring seeds nor neighbouring counters go together.
    for a, b in ((found[1:], found[:-1]), (found[:, 1:], found[:, :-1])):
        assert abs(np.corrcoef(a.ravel(), b.ravel())[0, 1]) < 0.015
        counts = np.histogram2d(a.ravel(), b.ravel(), 8)[0]
        assert chi_square(counts, counts.sum() / 64) < 1.6


def test_each_bit_is_fair():
    bits = to_numpy(counter_hash, *DRAWN)[..., None] >> np.arange(32) & 1
    assert np.all(np.abs(bits.mean((0, 1)) - 0.5) < 0.006)


def chi_square(counts, expected):
    """Divided by its degrees of freedom: about 1."""
    return np.sum((counts - expected) ** 2 / expected) / (np.size(counts) - 1)


def test_gumbel():
    found = to_numpy(counter_gumbel, *DRAWN)
    assert np.all(np.isfinite(found))
    assert abs(found.mean() - np.euler_gamma) < 0.015
    assert abs(found.var() - np.pi**2 / 6) < 0.03
