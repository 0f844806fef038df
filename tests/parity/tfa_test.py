"""The numbers of tensorflow-addons 0.23, from `make_tfa_numbers.py`."""

import pathlib

import keras
import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import AdditiveScore
from keras_seq2seq.layers import AttentionMechanism
from keras_seq2seq.layers import BahdanauCell
from keras_seq2seq.layers import BilinearScore
from keras_seq2seq.layers import LuongCell
from keras_seq2seq.layers import MonotonicNormalizer

FOLDER = pathlib.Path(__file__).parents[1] / "fixtures"
with np.load(FOLDER / "tfa_numbers.npz") as file:
    NUMBERS = dict(file)
MEMORY, LENGTHS = NUMBERS["memory"], NUMBERS["lengths"]
MASK = np.arange(MEMORY.shape[1]) < LENGTHS[:, None]
UNITS = NUMBERS["v"].shape[0]
MODES = ["parallel", "recursive", "hard"]


def additive(normalize=False):
    score = AdditiveScore(UNITS, normalize=normalize, use_bias=normalize)
    score.build((None, None, UNITS), MEMORY.shape)
    score.query_kernel.assign(NUMBERS["query_kernel"])
    score.value_kernel.assign(NUMBERS["memory_kernel"])
    score.energy_kernel.assign(NUMBERS["v"][:, None])
    if normalize:  # the only form of theirs with a bias
        score.bias.assign(NUMBERS["b"])
        score.gain.assign(NUMBERS["g"])
    return score


def bilinear(use_scale=False):
    score = BilinearScore(use_scale=use_scale)
    score.build((None, None, UNITS), MEMORY.shape)
    score.kernel.assign(NUMBERS["memory_kernel"])
    if use_scale:
        score.scale.assign(NUMBERS["g"])
    return score


def monotonic(mode):
    return MonotonicNormalizer(mode, bias=float(NUMBERS["score_bias"]))


CASES = {
    "bahdanau": lambda: AttentionMechanism(additive()),
    "bahdanau_normalized": lambda: AttentionMechanism(additive(True)),
    "luong": lambda: AttentionMechanism(bilinear()),
    "luong_scaled": lambda: AttentionMechanism(bilinear(True)),
}
for mode in MODES:
    CASES[f"bahdanau_monotonic_{mode}"] = lambda mode=mode: AttentionMechanism(
        additive(), monotonic(mode)
    )
    CASES[f"luong_monotonic_{mode}"] = lambda mode=mode: AttentionMechanism(
        bilinear(), monotonic(mode)
    )


def assert_equal(actual, case, name, step):
    np.testing.assert_allclose(
        ops.convert_to_numpy(actual), NUMBERS[f"{case}.{name}"][step], atol=1e-5
    )


@pytest.mark.parametrize("case", CASES)
def test_attention(case):
    attention, state = CASES[case](), []
    for step, query in enumerate(NUMBERS["queries"]):
        context, alignments, *state = attention(
            query[:, None],
            MEMORY,
            value_mask=ops.array(MASK),
            state=state[0] if state else None,
        )
        assert_equal(alignments[:, 0], case, "alignments", step)
        assert_equal(context[:, 0], case, "contexts", step)


def run(cell, case, states):
    """Outputs and alignments of all steps, with the weights of theirs."""
    inputs = NUMBERS["inputs"]
    cell.build(inputs.shape[1:], {"value": MEMORY.shape})
    names = "kernel", "recurrent_kernel", "bias"
    cell.cell.set_weights([NUMBERS[f"{case}.{name}"] for name in names])
    memory = cell.prepare_memory(ops.array(MEMORY), ops.array(MASK))
    states = keras.tree.map_structure(ops.array, states)
    for step, x in enumerate(inputs):
        output, states, alignments = cell(ops.array(x), states, memory)
        yield step, output, alignments


@pytest.mark.parametrize("name", ["gru", "lstm", "linear"])
def test_luong_cell(name):
    case, kernel = f"luong_{name}", NUMBERS["attention_kernel"]
    is_lstm, is_linear = name == "lstm", name == "linear"
    inner = keras.layers.LSTMCell if is_lstm else keras.layers.GRUCell
    cell = LuongCell(
        inner(UNITS),
        AttentionMechanism(bilinear()),
        attention_vector="linear" if is_linear else "tanh",
        attention_units=kernel.shape[1],
    )
    cell.attention_vector.build((None, kernel.shape[0]))
    # Theirs is over [output; context], ours over [context; output].
    cell.attention_vector.set_weights([np.roll(kernel, -UNITS, axis=0)])
    states = [*NUMBERS["states"]]
    states = {
        "cell": states if is_lstm else states[0],
        "attention_vector": np.zeros((len(MEMORY), kernel.shape[1]), "float32"),
    }
    for step, output, alignments in run(cell, case, states):
        assert_equal(output, case, "outputs", step)
        assert_equal(alignments, case, "alignments", step)


def test_luong_cell_without_an_attention_layer():
    case = "luong_context"
    cell = LuongCell(
        keras.layers.GRUCell(UNITS),
        AttentionMechanism(bilinear()),
        attention_vector="context",
    )
    states = {
        "cell": NUMBERS["states"][0],
        "attention_vector": np.zeros(MEMORY[:, 0].shape, "float32"),
    }
    for step, output, alignments in run(cell, case, states):
        assert_equal(output, case, "outputs", step)
        assert_equal(alignments, case, "alignments", step)


@pytest.mark.parametrize("case", ["luong_state", "luong_context_state"])
def test_luong_cell_whose_output_is_the_state(case):
    """`output_attention=False`, with an attention layer and without one."""
    kernel = NUMBERS["attention_kernel"]
    has_layer = case == "luong_state"
    cell = LuongCell(
        keras.layers.GRUCell(UNITS),
        AttentionMechanism(bilinear()),
        attention_vector="tanh" if has_layer else "context",
        attention_units=kernel.shape[1] if has_layer else None,
        output="state",
    )
    width = MEMORY.shape[2]
    if has_layer:
        width = kernel.shape[1]
        cell.attention_vector.build((None, kernel.shape[0]))
        kernel = np.roll(kernel, -UNITS, axis=0)  # over [context; output]
        cell.attention_vector.set_weights([kernel])
    states = {
        "cell": NUMBERS["states"][0],
        "attention_vector": np.zeros((len(MEMORY), width), "float32"),
    }
    for step, output, alignments in run(cell, case, states):
        assert_equal(output, case, "outputs", step)
        assert_equal(alignments, case, "alignments", step)


def test_bahdanau_cell_without_the_context():
    case = "bahdanau_gru"  # `output_attention=False`
    cell = BahdanauCell(
        keras.layers.GRUCell(UNITS),
        AttentionMechanism(additive()),
        context_in_output=False,
    )
    states = {"cell": NUMBERS["states"][0]}
    for step, output, _ in run(cell, case, states):
        assert_equal(output, case, "outputs", step)


def test_bahdanau_cell():
    case = "bahdanau_gru"
    cell = BahdanauCell(
        keras.layers.GRUCell(UNITS), AttentionMechanism(additive())
    )
    states = {"cell": NUMBERS["states"][0]}
    for step, output, alignments in run(cell, case, states):
        assert_equal(output[:, :UNITS], case, "outputs", step)
        if step:  # they attend at the end of a step, we at the beginning
            assert_equal(output[:, UNITS:], case, "attention", step - 1)
            assert_equal(alignments, case, "alignments", step - 1)
