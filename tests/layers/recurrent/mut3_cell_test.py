import pytest

from keras_seq2seq.layers import MUT3Cell
from tests.helpers.numpy_mut import check_against
from tests.helpers.numpy_mut import mut3


@pytest.mark.parametrize("dim", [3, 2])
def test_against_numpy(dim):
    names = ["xz", "xr", "xh"], ["hz", "hr", "hh"], ["bz", "br", "bh"]
    check_against(MUT3Cell(3), mut3, names, dim)
