import keras
from keras import tree

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
        self.is_stack = type(cell) is keras.layers.StackedRNNCells
        cells = cell.cells if self.is_stack else [cell]
        self.loops = [_layer_of(inner) for inner in cells]

    def __call__(self, inputs, states, training):
        """Outputs `(rows, length, units)` from the first `states`."""
        for loop, first in zip(
            self.loops, states if self.is_stack else [states]
        ):
            inputs = loop(
                inputs, initial_state=tree.flatten(first), training=training
            )
        return inputs


def _layer_of(cell):
    layer = LAYERS.get(type(cell))
    if layer is None:
        return keras.layers.RNN(cell, return_sequences=True)
    loop = layer.from_config({**cell.get_config(), "return_sequences": True})
    loop.cell = cell
    return loop
