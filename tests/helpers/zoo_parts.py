"""The choices that the cover combines; each is made anew for every model."""

import keras

from keras_seq2seq import layers

UNITS = 4


def residual_stack(make=keras.layers.GRUCell):
    return layers.RecurrentStack([make(UNITS), make(UNITS)], residual=True)


CELLS = {
    "elman": lambda: keras.layers.SimpleRNNCell(UNITS),
    "gru": lambda: keras.layers.GRUCell(UNITS, dropout=0.1),
    "lstm": lambda: keras.layers.LSTMCell(UNITS, recurrent_dropout=0.1),
    "mut1": lambda: layers.MUT1Cell(UNITS),
    "mut2": lambda: layers.MUT2Cell(UNITS),
    "mut3": lambda: layers.MUT3Cell(UNITS),
    "lstm_without_input": lambda: layers.ReducedLSTMCell(UNITS, "input"),
    "lstm_without_forget": lambda: layers.ReducedLSTMCell(UNITS, "forget"),
    "lstm_without_output": lambda: layers.ReducedLSTMCell(UNITS, "output"),
    "residual_stack": residual_stack,
}

SCORES = {
    "dot_product": lambda: layers.DotProductScore(use_scale=True),
    "scaled_dot_product": lambda: layers.ScaledDotProductScore(
        3, activation="relu"
    ),
    "bilinear": lambda: layers.BilinearScore(),
    "concat": lambda: layers.ConcatScore(3),
    "additive": lambda: layers.AdditiveScore(3),
    "deep_dot_product": lambda: layers.ScaledDotProductScore(
        [3, 2], activation="tanh", use_scale=False
    ),
    "additive_without_bias": lambda: layers.AdditiveScore(3, use_bias=False),
    "normed": lambda: layers.AdditiveScore(3, normalize=True),
    "location": lambda: layers.LocationAwareScore(3, filters=2, kernel_size=3),
    "coverage": lambda: layers.CoverageScore(3),
    "two_heads": lambda: layers.ScaledDotProductScore(2),
}

NORMALIZERS = {
    "softmax": lambda: layers.SoftmaxNormalizer(0.5),
    "sparsemax": lambda: layers.SparsemaxNormalizer(),
    "parallel": lambda: layers.MonotonicNormalizer("parallel", noise=1.0),
    "recursive": lambda: layers.MonotonicNormalizer("recursive"),
    "hard_monotonic": lambda: layers.MonotonicNormalizer(
        "parallel", inference_mode="hard"
    ),
    "hard": lambda: layers.HardNormalizer(),
}

# Heads go with these; a stack of cells is what GNMT's placement is made of.
FOR_HEADS = ("softmax", "sparsemax")


def mechanism(score, normalizer):
    made = SCORES[score](), NORMALIZERS[normalizer]()
    if score == "two_heads":
        return layers.MultiHeadMechanism(made[0], 2, normalizer=made[1])
    return layers.AttentionMechanism(*made)


def gnmt(cell, attention):
    first, second = cell(), cell()
    stack = keras.layers.StackedRNNCells([first, second])
    return layers.GNMTCell(stack, attention)


PLACEMENTS = {
    "bahdanau": lambda cell, a: layers.BahdanauCell(cell(), a),
    "bahdanau_state": lambda cell, a: layers.BahdanauCell(
        cell(), a, context_in_output=False
    ),
    "luong": lambda cell, a: layers.LuongCell(cell(), a),
    "luong_without_feeding": lambda cell, a: layers.LuongCell(
        cell(), a, input_feeding=False, output="both"
    ),
    "luong_linear": lambda cell, a: layers.LuongCell(
        cell(), a, attention_vector="linear", attention_units=3, output="both"
    ),
    "luong_context": lambda cell, a: layers.LuongCell(
        cell(), a, attention_vector="context", output="both"
    ),
    "luong_context_as_state": lambda cell, a: layers.LuongCell(
        cell(),
        a,
        attention_vector="context",
        input_feeding=False,
        replace_state=True,
        output="both",
    ),
    "luong_state": lambda cell, a: layers.LuongCell(
        cell(), a, attention_units=3, output="state"
    ),
    "luong_new_state": lambda cell, a: layers.LuongCell(
        cell(), a, input_feeding=False, replace_state=True
    ),
    "gnmt": gnmt,
    "cho": lambda cell, a: layers.ChoCell(cell()),
    "cho_identity": lambda cell, a: layers.ChoCell(cell(), context="identity"),
    "sutskever": lambda cell, a: layers.SutskeverCell(cell()),
}


def rnn(cell, **kwargs):
    return layers.RecurrentEncoder(cell, **kwargs)


# All memories are as wide as the decoder's cell, for the dot product.
ENCODERS = {
    "one_direction": lambda: rnn(keras.layers.LSTMCell(UNITS)),
    "two_directions": lambda: rnn(
        keras.layers.GRU(UNITS // 2), bidirectional=True
    ),
    "backwards": lambda: rnn(keras.layers.GRUCell(UNITS), reverse=True),
    "deep": lambda: rnn(residual_stack()),
    "layer_mix": lambda: layers.LayerMix(
        [keras.layers.LSTM(UNITS // 2), keras.layers.LSTM(UNITS // 2)],
        train_cells=False,
    ),
    "gnmt": lambda: layers.StackedEncoder(
        [
            rnn(keras.layers.GRU(UNITS), bidirectional=True),
            rnn(keras.layers.GRU(UNITS)),
            rnn(keras.layers.GRU(UNITS)),
        ],
        residual=2,
    ),
}
BRIDGES = ("zero", "dense", "mean")
