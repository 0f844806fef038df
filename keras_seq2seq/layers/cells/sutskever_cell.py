import keras

from keras_seq2seq.layers.cells.decoder_cell import DecoderCell


@keras.saving.register_keras_serializable("keras_seq2seq")
class SutskeverCell(DecoderCell):
    """No attention: only the initial state depends on the source.

    `h_t = cell(y_{t-1}, h_{t-1})`, and `h_t` is the output. The attention
    scores are zeros.

    Args:
        cell: A Keras cell, such as `keras.layers.LSTMCell(256)`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size * num_beams, dim)`.
        states: Dict with the states of `cell` under `"cell"`.
        memory: The result of `prepare_memory(memory, memory_mask)`.
        training: Boolean.

    Returns:
        Output of shape `(batch_size * num_beams, units)`, new states, and
        zeros of shape `(batch_size * num_beams, Tv)`.

    Example:

    >>> cell = k2s.layers.SutskeverCell(keras.layers.LSTMCell(8))
    >>> memory = cell.prepare_memory(keras.ops.ones((2, 5, 6)))
    >>> states = cell.get_initial_state(batch_size=2)
    >>> output, states, scores = cell(keras.ops.ones((2, 4)), states, memory)
    >>> tuple(output.shape)
    (2, 8)

    References:
        - [Sutskever et al., 2014](https://arxiv.org/abs/1409.3215), section 2
    """

    @property
    def output_size(self):
        return self.cell_size

    def build_cell(self, inputs_dim, value_dim):
        if not self.cell.built:
            self.cell.build((None, inputs_dim))
