"""Requests that hold the arrays of a model."""

import types

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.tasks.served_arrays import ServedArrays
from keras_seq2seq.tasks.served_arrays import cut

QUESTION = k2s.sources.TokenSource(9, name="question")
FRAMES = k2s.sources.RawSource((None, 2), name="frames", use_padding_mask=True)
PICTURE = k2s.sources.RawSource((2, 2, 1), name="picture")


def served(*sources, max_length=3):
    model = types.SimpleNamespace(sources={x.name: x for x in sources})
    task = types.SimpleNamespace(model=model)
    return ServedArrays(task, max_length, None)


def test_cut():
    values = np.arange(1, 13).reshape(2, 3, 2)
    found, lengths = cut(values, np.array([1, 9]), 2, -1)
    expected = [[[1, 2], [-1, -1]], [[7, 8], [9, 10]]]
    np.testing.assert_array_equal(keras.ops.convert_to_numpy(found), expected)
    np.testing.assert_array_equal(keras.ops.convert_to_numpy(lengths), [1, 2])
    found, lengths = cut(np.ones((1, 0)), np.array([-3]), 2, 0)  # one position
    np.testing.assert_array_equal(keras.ops.convert_to_numpy(found), [[0]])
    np.testing.assert_array_equal(keras.ops.convert_to_numpy(lengths), [0])


def test_inputs_of_several_sources():
    source = served(QUESTION, FRAMES, PICTURE)
    specs = {n: (x.dtype, x.shape) for n, x in source.inputs.items()}
    assert specs == {
        "question_token_ids": ("int32", (None,)),
        "question_lengths": ("int32", ()),
        "frames_inputs": ("float32", (None, 2)),
        "frames_lengths": ("int32", ()),
        "picture_inputs": ("float32", (2, 2, 1)),
    }
    examples = [source.made_up(0), source.made_up(2)]
    assert list(map(source.length, examples)) == [0, 2]
    request = source.request(examples)
    assert {n: (x.dtype.name, x.shape[1:]) for n, x in request.items()} == {
        "question_token_ids": ("int32", (2,)),
        "question_lengths": ("int32", ()),
        "frames_inputs": ("float32", (2, 2)),
        "frames_lengths": ("int32", ()),
        "picture_inputs": ("float32", (2, 2, 1)),
    }
    np.testing.assert_array_equal(
        request["question_token_ids"], [[0, 0], [8, 8]]
    )
    np.testing.assert_array_equal(request["frames_lengths"], [0, 2])
    inputs, lengths = source.read(request)
    assert inputs.keys() == {
        "question_token_ids",
        "frames_inputs",
        "frames_padding_mask",
        "picture_inputs",
    }
    assert lengths is None
    mask = keras.ops.convert_to_numpy(inputs["frames_padding_mask"])
    np.testing.assert_array_equal(mask, [[False, False], [True, True]])


def test_lengths_of_one_source():
    source = served(FRAMES)
    request = source.request([source.made_up(length) for length in (0, 2, 5)])
    inputs, lengths = source.read(request)
    assert inputs["frames_inputs"].shape == (3, 3, 2)
    lengths = keras.ops.convert_to_numpy(lengths)
    np.testing.assert_array_equal(lengths, [0, 2, 3])  # 3 is the longest


def test_a_picture_has_no_length():
    source = served(PICTURE)
    assert source.length(source.made_up(7)) == 1
    assert source.read(source.request([source.made_up(7)]))[1] is None


def test_a_sequence_needs_a_mask():
    with pytest.raises(ValueError, match="`use_padding_mask=True`"):
        served(k2s.sources.RawSource((None, 2)))
