import keras
from keras import tree

from keras_seq2seq.layers.decoders.drawn_dropout import drawn_dropout
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

    def __call__(self, inputs, states, training, mask=None):
        """Outputs `(rows, length, units)` and last states, from the first.

        Args:
            inputs: Float tensor of shape `(rows, length, dim)`.
            states: The first states, in the structure of the cell's own.
            training: Boolean.
            mask: Boolean tensor of shape `(rows, length)`, or `None`. States
                stay as they are where it is `False`.
        """
        states = states if self.is_stack else [states]
        last = []
        for index, (loop, first) in enumerate(zip(self.loops, states)):
            with drawn_dropout(loop.cell):  # none stays where a loop fails
                outputs, *new = loop(
                    inputs,
                    initial_state=_as_list(first),
                    mask=mask,
                    training=training,
                )
            add = self.residual and index
            inputs = outputs + inputs if add else outputs
            last.append(tree.pack_sequence_as(first, tree.flatten(new)))
        return inputs, last if self.is_stack else last[0]


def _as_list(states):
    # Nested ones stay nested: a stack of a user's own runs as one cell.
    return list(states) if tree.is_nested(states) else [states]


def _layer_of(cell):
    returns = {"return_sequences": True, "return_state": True}
    layer = LAYERS.get(type(cell))
    if layer is None:
        return keras.layers.RNN(cell, **returns)
    loop = layer.from_config({**cell.get_config(), **returns})
    loop.cell = cell
    return loop
