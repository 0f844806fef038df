import keras
from keras import ops

from keras_seq2seq.search.constraints.constraint import Constraint
from keras_seq2seq.search.inputs.table import SOURCE_LENGTHS
from keras_seq2seq.search.special import IMPOSSIBLE
from keras_seq2seq.utils.checks import check_number

ROUNDING = 1e-4  # 0.1 * 10 is 1 token


@keras.saving.register_keras_serializable("keras_seq2seq")
class LengthRatio(Constraint):
    """Limits the length of a hypothesis relative to its source's length.

    For a source of `n` tokens, a hypothesis has at least `ceil(minimum * n)`
    tokens, including the end token, and at most
    `max(1, floor(maximum * n), ceil(minimum * n))`. The end token is banned
    before the minimum. At the maximum all other tokens are banned, so a
    hypothesis ends there and is not cut. If the search's `max_length` is below
    the minimum, there is no hypothesis. The lengths are the input
    `source_lengths`, integers of shape `(batch_size,)`, which `InferenceModel`
    computes from the source.

    Args:
        minimum: Float of at least 0. Defaults to `0.0`.
        maximum: Float of at least `minimum`. Defaults to `None`, no maximum.

    Example:

    >>> ratio = k2s.search.constraints.LengthRatio(0.5, maximum=2.0)
    >>> search = k2s.search.BeamSearch(constraints=[ratio])
    >>> search.input_names
    ('source_lengths',)
    """

    inputs = (SOURCE_LENGTHS,)

    def __init__(self, minimum=0.0, *, maximum=None):
        self.minimum = check_number(minimum, "minimum", 0.0)
        if maximum is not None:
            check_number(maximum, "maximum", minimum)
        self.maximum = maximum

    def __call__(self, log_probs, state, context):
        sources, least = self._sources_and_least(context)
        length = ops.cast(context.index + 1, "float32")
        is_end = (
            ops.arange(log_probs.shape[-1], dtype="int32")
            == context.end_token_id
        )
        banned = is_end & (length < least)
        if self.maximum is not None:
            most = ops.floor(self.maximum * sources + ROUNDING)
            most = ops.maximum(ops.maximum(most, least), 1.0)
            banned = banned | (~is_end & (length >= most))
        return ops.where(banned, IMPOSSIBLE, log_probs)

    def may_stop(self, log_probs, state, context):
        # A hypothesis that is cut has no end token, which would count.
        _, least = self._sources_and_least(context)
        return ops.cast(context.index, "float32") >= least

    def _sources_and_least(self, context):
        """Source lengths and minimal lengths, both of shape `(rows, 1)`."""
        source_lengths = context.inputs["source_lengths"]
        sources = ops.expand_dims(ops.cast(source_lengths, "float32"), 1)
        return sources, ops.ceil(self.minimum * sources - ROUNDING)

    def get_config(self):
        return {"minimum": self.minimum, "maximum": self.maximum}
