import numpy as np
import pytest

from keras_seq2seq.utils.axes import check_axes

AXES = {"a": ("rows", "length"), "b": ("rows", ...), "c": ("length", None, 3)}


class Shape:
    """A tensor of which a graph knows that much."""

    def __init__(self, *shape):
        self.shape = shape


@pytest.mark.parametrize(
    "shapes, problem",
    [
        ({"a": (2, 5), "b": (2, 7, 7), "c": (5, 9, 3)}, None),
        ({"a": (2, 5), "b": (2,)}, None),
        ({"b": (2,), "c": (5, 9, 3)}, None),  # nothing in common
        ({"a": (2,)}, r"`a` must be of shape \(rows, length\). Received: a of"),
        ({"b": ()}, r"`b` must be of shape \(rows, ...\). "),
        ({"a": (2, 5), "b": (1, 5)}, r"the rows of `a`, 2. .* shape \(1, 5\)"),
        ({"a": (2, 5), "c": (4, 5, 3)}, "the length of `a`, 5. Received: c"),
        ({"c": (4, 5, 2)}, r"`c` must be of shape \(length, any, 3\). Rec"),
    ],
)
def test_sizes_of_one_name_agree(shapes, problem):
    tensors = {name: np.zeros(shape) for name, shape in shapes.items()}
    if problem is None:
        assert check_axes(tensors, AXES) == []
        return
    with pytest.raises(ValueError, match=problem):
        check_axes(tensors, AXES)


def test_sizes_that_are_not_known_are_left_for_later():
    tensors = {"a": Shape(None, 5), "b": Shape(2), "c": Shape(5, None, None)}
    assert check_axes(tensors, AXES) == [
        [("a", 0), ("b", 0)],
    ]
    with pytest.raises(ValueError, match="the length of `a`, 5"):
        check_axes({**tensors, "c": Shape(4, None, 3)}, AXES)
