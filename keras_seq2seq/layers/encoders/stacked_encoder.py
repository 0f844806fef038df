import keras

from keras_seq2seq.layers.encoders.encoder_stack import EncoderStack
from keras_seq2seq.layers.recurrent.keras_cell import check_residual


@keras.saving.register_keras_serializable("keras_seq2seq")
class StackedEncoder(EncoderStack):
    """Encoders one on the other: each reads the memory of the one below.

    With residuals an encoder adds what it reads to its memory:
    `m^i = encoder_i(x^{i-1})`, `x^i = m^i + x^{i-1}`. GNMT's encoder is a layer
    in two directions with layers in one direction on it, residuals from the
    third on:
    `residual=2`. Masks follow through each encoder.

    Args:
        encoders: List of encoders, from the bottom up, such as
            `RecurrentEncoder`.
        residual: Boolean or integer. Index in `encoders` of the first that
            adds its input, 1 or more; `True` is 1, the second. Input and
            memory are then equally wide. Defaults to `False`, no residuals.
        dropout: Float in `[0, 1)`. Dropout on what each encoder reads, not on
            what it adds, and on the memory. Defaults to `0.0`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, source_length, dim)`.
        mask: Boolean tensor of shape `(batch_size, source_length)`, `True` at
            real steps.
        training: Boolean.

    Returns:
        Memory of the top encoder, of shape `(batch_size, Tv, value_dim)`, and
        a dict of the final states by direction, each a list of the states of
        all encoders that have it, one list a layer.

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

    def _adds(self, index):
        return bool(self.residual) and index >= self.residual

    def build(self, inputs_shape):
        shape = inputs_shape
        for index, encoder in enumerate(self.encoders):
            below = shape
            shape, _ = encoder.compute_output_shape(below)
            if self._adds(index) and tuple(shape[1:]) != tuple(below[1:]):
                raise ValueError(
                    "With `residual` an encoder's input and memory must be of "
                    f"one shape. Received: encoders[{index}] with inputs "
                    f"{tuple(below)} and memory {tuple(shape)}. Change the "
                    f"units, or pass another residual than {self.residual!r}."
                )
        super().build(inputs_shape)

    def leave(self, index, inputs, memory):
        return memory + inputs if self._adds(index) else memory

    def get_config(self):
        return {**super().get_config(), "residual": self.residual}
