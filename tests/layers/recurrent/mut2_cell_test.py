import pytest

from keras_seq2seq.layers import MUT2Cell
from tests.helpers.numpy_mut import check_against
from tests.helpers.numpy_mut import mut2


@pytest.mark.parametrize("dim", [3, 2, 5])
def test_against_numpy(dim):
    # An input as wide as the state goes into the gate as it is.
    of_input = ["xz", "xh"] + ["x"] * (dim != 3)
    names = of_input, ["hz", "hr", "hh"], ["bz", "br", "bh"]
    check_against(MUT2Cell(3), mut2, names, dim)
