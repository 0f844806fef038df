import keras
from keras import ops

from keras_seq2seq.search.constraints.ban import Ban
from keras_seq2seq.search.special import IMPOSSIBLE


@keras.saving.register_keras_serializable("keras_seq2seq")
class BannedMask(Ban):
    """Some tokens are never chosen, other ones in each row.

    The mask is the input `banned_mask`, booleans of shape
    `(batch_size, vocabulary_size)`, `True` at banned tokens.

    Call arguments:
        log_probs: Float32 tensor of shape `(rows, vocabulary_size)`.
        state: Nothing.
        context: `StepContext`.

    Returns:
        Log-probabilities of the same shape, -1e9 where banned.

    Example:

    >>> search = k2s.search.BeamSearch(constraints=["banned_mask"])
    >>> search.input_names
    ('banned_mask',)
    """

    input_names = ("banned_mask",)

    def check_inputs(self, inputs, max_length):
        shape = tuple(inputs["banned_mask"].shape)
        if len(shape) != 2:
            raise ValueError(
                "`banned_mask` must have the shape (batch_size, "
                f"vocabulary_size). Received: banned_mask of shape {shape}"
            )

    def __call__(self, log_probs, state, context):
        banned = context.inputs["banned_mask"]
        if banned.shape[1] not in (None, log_probs.shape[-1]):
            raise ValueError(
                "`banned_mask` must be as wide as the vocabulary, "
                f"{log_probs.shape[-1]}. Received: banned_mask of width "
                f"{banned.shape[1]}"
            )
        return ops.where(ops.cast(banned, "bool"), IMPOSSIBLE, log_probs)
