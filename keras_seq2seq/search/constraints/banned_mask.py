import keras
from keras import ops

from keras_seq2seq.search.constraints.ban import Ban
from keras_seq2seq.search.inputs.table import BANNED_MASK
from keras_seq2seq.search.special import IMPOSSIBLE


@keras.saving.register_keras_serializable("keras_seq2seq")
class BannedMask(Ban):
    """Bans tokens, different ones for each source.

    The mask is the input `banned_mask`, booleans of shape
    `(batch_size, vocabulary_size)`, `True` at banned tokens.

    Example:

    >>> search = k2s.search.BeamSearch(constraints=["banned_mask"])
    >>> search.input_names
    ('banned_mask',)
    """

    inputs = (BANNED_MASK,)

    def __call__(self, log_probs, state, context):
        banned = context.inputs["banned_mask"]
        if banned.shape[1] not in (None, log_probs.shape[-1]):
            raise ValueError(
                "`banned_mask` must be as wide as the vocabulary, "
                f"{log_probs.shape[-1]}. Received: banned_mask of width "
                f"{banned.shape[1]}"
            )
        return ops.where(ops.cast(banned, "bool"), IMPOSSIBLE, log_probs)
