import keras
from keras import tree

from keras_seq2seq.layers.recurrent.recurrent_stack import RecurrentStack

LAYERS = {
    keras.layers.SimpleRNNCell: keras.layers.SimpleRNN,
    keras.layers.GRUCell: keras.layers.GRU,
    keras.layers.LSTMCell: keras.layers.LSTM,
}


class Recurrence:
    """A Keras cell over a whole sequence, by Keras's own layers.

    A stack runs layer by layer, and a cell that Keras has a layer for runs in
    that layer, which may be a fused kernel. A plain object, so that Keras does
    not count the cell's weights twice.

    Args:
        cell: A Keras cell.
    """

    def __init__(self, cell):
        self.is_stack = type(cell) in (
            keras.layers.StackedRNNCells,
            RecurrentStack,
        )
        self.residual = self.is_stack and getattr(cell, "residual", False)
        cells = cell.cells if self.is_stack else [cell]
        self.loops = [_layer_of(inner) for inner in cells]

    def __call__(self, inputs, states, training):
        """Outputs `(rows, length, units)` from the first `states`."""
        states = states if self.is_stack else [states]
        for index, (loop, first) in enumerate(zip(self.loops, states)):
            outputs = loop(
                inputs, initial_state=_as_list(first), training=training
            )
            add = self.residual and index
            inputs = outputs + inputs if add else outputs
        return inputs


def _as_list(states):
    # Nested ones stay nested: a stack of a user's own runs as one cell.
    return list(states) if tree.is_nested(states) else [states]


def _layer_of(cell):
    layer = LAYERS.get(type(cell))
    if layer is None:
        return keras.layers.RNN(cell, return_sequences=True)
    loop = layer.from_config({**cell.get_config(), "return_sequences": True})
    loop.cell = cell
    return loop
