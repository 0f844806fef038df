import keras
from keras import ops

from keras_seq2seq.layers.transformer.position import Position
from keras_seq2seq.layers.transformer.position import positions
from keras_seq2seq.utils.sizes import check_dimension
from keras_seq2seq.utils.sizes import check_fits


@keras.saving.register_keras_serializable("keras_seq2seq")
class LearnedPosition(Position):
    """A learned vector for each position, added to the inputs.

    Args:
        max_length: Integer. Number of positions; longer inputs are an error.
            Defaults to `512`.

    Call arguments:
        inputs: Float tensor of shape `(batch_size, length, dim)`.
        first: Integer or integer scalar, the position of the first input; or
            integers of shape `(batch_size,)`.

    Returns:
        Float tensor of the shape of `inputs`.

    Example:

    >>> position = k2s.layers.LearnedPosition(max_length=5)
    >>> tuple(position(np.ones((2, 5, 4))).shape)
    (2, 5, 4)

    References:
        - [Gehring et al., 2017](https://arxiv.org/abs/1705.03122), section 3.1
    """

    def __init__(self, max_length=512, **kwargs):
        super().__init__(**kwargs)
        self.max_length = check_dimension(max_length, "max_length")

    def build(self, inputs_shape, first_shape=None):
        sizes = {"max_length": self.max_length, "dim": inputs_shape[-1]}
        check_fits("Learned positions", sizes)
        self.table = self.add_weight(
            shape=(self.max_length, inputs_shape[-1]),
            initializer=keras.initializers.RandomNormal(stddev=0.02),
            name="table",
        )

    def call(self, inputs, first=0):
        self.check_length(inputs.shape[1])
        where = positions(ops.shape(inputs)[1], first)
        return inputs + ops.take(self.table, where, axis=0)

    def get_config(self):
        return {**super().get_config(), "max_length": self.max_length}
