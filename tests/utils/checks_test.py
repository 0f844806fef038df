import numpy as np
import pytest

from keras_seq2seq.utils import checks


def test_valid_values_come_back():
    assert checks.check_integer(3, "units", 1) == 3
    assert checks.check_rate(0, "dropout") == 0
    assert checks.check_rate(0.5, "dropout") == 0.5
    assert checks.check_rate(np.float32(0.5), "dropout") == 0.5
    assert checks.check_token_id(4, "pad_token_id", 5) == 4
    assert checks.check_choice("a", "kind", {"a": 1}) == "a"
    assert checks.check_type("a", "text", str) == "a"


@pytest.mark.parametrize("value", [0, -1, 1.0, "1", None, True])
def test_check_integer(value):
    message = f"`units` must be an integer of at least 1.*units={value!r}"
    with pytest.raises(ValueError, match=message):
        checks.check_integer(value, "units", 1)


@pytest.mark.parametrize("value", [5, -1, 1.0])
def test_check_token_id(value):
    message = f"`pad_token_id` must be .*Received: pad_token_id={value!r}"
    with pytest.raises(ValueError, match=message):
        checks.check_token_id(value, "pad_token_id", 5)


@pytest.mark.parametrize(
    "value", [-0.1, 1, 1.5, "0.1", None, float("nan"), False]
)
def test_check_rate(value):
    message = rf"`dropout` must be a number in \[0, 1\).*dropout={value!r}"
    with pytest.raises(ValueError, match=message):
        checks.check_rate(value, "dropout")


def test_check_choice():
    message = r"`kind` must be one of \['a', 'b'\].*Received: kind='c'"
    with pytest.raises(ValueError, match=message):
        checks.check_choice("c", "kind", ["b", "a"])


def test_check_type():
    message = "`cell` must be a `str`.*Received: cell of type `int`"
    with pytest.raises(TypeError, match=message):
        checks.check_type(3, "cell", str)


@pytest.mark.parametrize("value", [-0.1, True, "1", float("nan"), float("inf")])
def test_check_number(value):
    message = f"`noise` must be .*of at least 0.*Received: noise={value!r}"
    with pytest.raises(ValueError, match=message):
        checks.check_number(value, "noise", least=0)


def test_check_number_of_any_sign():
    assert checks.check_number(-3, "bias") == -3
    with pytest.raises(ValueError, match="a finite number. Received: bias=inf"):
        checks.check_number(float("inf"), "bias")
