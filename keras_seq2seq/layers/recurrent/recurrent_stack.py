import keras

from keras_seq2seq.layers.recurrent.keras_cell import check_equal_widths
from keras_seq2seq.layers.recurrent.keras_cell import step


@keras.saving.register_keras_serializable("keras_seq2seq")
class RecurrentStack(keras.layers.StackedRNNCells):
    """A stack of Keras cells with residual connections.

    `m^i = cell_i(x^{i-1})`, with `x^1 = m^1` and `x^i = m^i + x^{i-1}` above:
    from the second cell on, each cell's input is added to its output. The
    states are those of the cells, without the sum. Without residual connections
    this is `keras.layers.StackedRNNCells`. For dropout between layers, use the
    `dropout` of the cells.

    Args:
        cells: List of Keras cells, of the same width with `residual`.
        residual: Boolean. Whether to use residual connections. Defaults to
            `True`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, dim)`.
        states: List of the states of each cell.
        training: Boolean.

    Returns:
        Output of shape `(batch_size, units)` and new states.

    Example:

    >>> cells = [keras.layers.LSTMCell(8) for _ in range(3)]
    >>> encoder = k2s.layers.RecurrentEncoder(k2s.layers.RecurrentStack(cells))
    >>> memory, states = encoder(np.ones((2, 5, 4)))
    >>> tuple(memory.shape)
    (2, 5, 8)

    References:
        - [Wu et al., 2016](https://arxiv.org/abs/1609.08144), eq. 6
    """

    def __init__(self, cells, residual=True, **kwargs):
        super().__init__(cells, **kwargs)
        self.residual = residual
        if residual:
            check_equal_widths(cells)

    def call(self, inputs, states, training=False):
        new = []
        for index, cell in enumerate(self.cells):
            output, state = step(cell, inputs, states[index], training)
            inputs = output + inputs if self.residual and index else output
            new.append(state)
        return inputs, new

    def get_config(self):
        return {**super().get_config(), "residual": self.residual}
