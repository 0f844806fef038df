import keras

from keras_seq2seq.layers.encoders.encoder_stack import EncoderStack
from keras_seq2seq.layers.recurrent.keras_cell import check_residual


@keras.saving.register_keras_serializable("keras_seq2seq")
class StackedEncoder(EncoderStack):
    """A stack of encoders: each reads the memory of the one below.

    With residual connections, an encoder adds its input to its memory:
    `m^i = encoder_i(x^{i-1})`, `x^i = m^i + x^{i-1}`. GNMT's encoder is a
    bidirectional layer below unidirectional layers, with residual connections
    from the third layer on: `residual=2`. Masks pass through each encoder.

    Args:
        encoders: List of encoders, from the bottom up, such as
            `RecurrentEncoder`.
        residual: Boolean or integer. Index of the first encoder with a residual
            connection, at least 1; `True` is 1, the second encoder. Such an
            encoder's input and memory must have the same shape. Defaults to
            `False`.
        dropout: Float in `[0, 1)`. Dropout on the input of each encoder, except
            in the residual connection, and on the memory. Defaults to `0.0`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, source_length, dim)`.
        mask: Boolean tensor of shape `(batch_size, source_length)`, `True` at
            real steps.
        training: Boolean.

    Returns:
        Memory of the top encoder, of shape `(batch_size, Tv, value_dim)`, and a
        dict of direction -> final states, a list with the states of each layer,
        from the bottom up.

    Example:

    >>> def layer(**kwargs):
    ...     return k2s.layers.RecurrentEncoder(keras.layers.GRU(8), **kwargs)
    >>> encoder = k2s.layers.StackedEncoder(
    ...     [layer(bidirectional=True), layer(), layer()], residual=2
    ... )
    >>> memory, states = encoder(np.ones((2, 5, 4)))
    >>> tuple(memory.shape), len(states["forward"]), len(states["backward"])
    ((2, 5, 8), 3, 1)

    References:
        - [Wu et al., 2016](https://arxiv.org/abs/1609.08144), section 3
          and eq. 6
    """

    def __init__(self, encoders, *, residual=False, dropout=0.0, **kwargs):
        super().__init__(encoders, dropout=dropout, **kwargs)
        self.residual = check_residual(residual)

    def _is_residual(self, index):
        return bool(self.residual) and index >= self.residual

    def build(self, inputs_shape):
        shape = inputs_shape
        for index, encoder in enumerate(self.encoders):
            below = shape
            shape, _ = encoder.compute_output_shape(below)
            if self._is_residual(index) and tuple(shape[1:]) != tuple(
                below[1:]
            ):
                raise ValueError(
                    "With `residual` an encoder's inputs and memory must have "
                    f"the same shape. Received: encoders[{index}] with inputs "
                    f"{tuple(below)} and memory {tuple(shape)}. Change the "
                    f"units, or use another residual than {self.residual!r}."
                )
        super().build(inputs_shape)

    def leave(self, index, inputs, memory):
        return memory + inputs if self._is_residual(index) else memory

    def get_config(self):
        return {**super().get_config(), "residual": self.residual}
