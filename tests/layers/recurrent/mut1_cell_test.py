import pytest

from keras_seq2seq.layers import MUT1Cell
from tests.helpers.numpy_mut import check_against
from tests.helpers.numpy_mut import mut1


@pytest.mark.parametrize("dim", [3, 2, 5])
def test_against_numpy(dim):
    # An input as wide as the state goes into the tanh as it is.
    of_input = ["xz", "xr"] + ["x"] * (dim != 3)
    names = of_input, ["hr", "hh"], ["bz", "br", "bh"]
    check_against(MUT1Cell(3), mut1, names, dim)
