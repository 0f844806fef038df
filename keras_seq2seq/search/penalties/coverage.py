from keras_seq2seq.search.inputs.table import MEMORY_MASK
from keras_seq2seq.search.search_part import SearchPart
from keras_seq2seq.utils.checks import check_number


class Coverage(SearchPart):
    """Abstract coverage penalty: rates how the source was attended to.

    It is added to the score of a finished hypothesis. The mask of the memory is
    the input `memory_mask`, booleans of shape `(batch_size, Tv)`, which
    `InferenceModel` provides.

    Args:
        beta: Float of at least 0. The weight. Defaults to `0.2`.

    Call arguments:
        attended: Float32 tensor of shape `(rows, Tv)`: attention scores of each
            position, summed over all tokens, including the end token.
        mask: Boolean tensor of shape `(rows, Tv)`, `True` at real positions.

    Returns:
        Float32 tensor of shape `(rows,)`, with values of at most 0.
    """

    inputs = (MEMORY_MASK,)

    def __init__(self, beta=0.2):
        self.beta = check_number(beta, "beta", 0.0)

    def __call__(self, attended, mask):
        raise NotImplementedError

    def get_config(self):
        return {"beta": self.beta}
