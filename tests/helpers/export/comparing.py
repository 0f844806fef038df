"""Equal answers: strings are equal, numbers to 1e-5."""

import json

import numpy as np


def assert_equal(found, expected, rtol=1e-7):
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name].shape == value.shape, name
        if value.dtype == object:
            np.testing.assert_array_equal(found[name], value)
        else:
            np.testing.assert_allclose(
                found[name], value, rtol=rtol, atol=1e-5, err_msg=name
            )


def assert_row_equal(alone, batch, row):
    """The answer to one row is that of a batch's row.

    What is as long as the batch's longest is cut to the row's own lengths.
    """
    cut = {
        name: batch[name][row : row + 1][tuple(map(slice, value.shape))]
        for name, value in alone.items()
    }
    assert_equal(cut, alone)


def rows_of(answer, count):
    """Dict of arrays of the first `count` rows."""
    return {name: x[:count] for name, x in answer.items()}


def joined(answers):
    """One dict of arrays of several."""
    return {
        name: np.concatenate([answer[name] for answer in answers])
        for name in answers[0]
    }


def read_description(folder):
    """What an export says of itself."""
    with open(f"{folder}/assets.extra/keras_seq2seq.json") as file:
        return json.load(file)
