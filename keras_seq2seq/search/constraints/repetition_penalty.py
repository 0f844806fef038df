import keras
from keras import ops

from keras_seq2seq.ops import vocabulary_mask
from keras_seq2seq.search.constraints.constraint import Constraint
from keras_seq2seq.search.constraints.history import NOTHING
from keras_seq2seq.search.constraints.history import empty_history
from keras_seq2seq.search.constraints.history import write_token
from keras_seq2seq.search.special import possible
from keras_seq2seq.utils.checks import check_positive


@keras.saving.register_keras_serializable("keras_seq2seq")
class RepetitionPenalty(Constraint):
    """Makes tokens less probable that a hypothesis already contains.

    `log p' = theta log p` for these tokens, without renormalization. Unlike a
    ban, this changes the scores of hypotheses, which are sums of `log p'`.

    Args:
        penalty: Float above 0, `theta`. Values above `1` discourage repetition,
            values below `1` encourage it. Defaults to `1.2`.

    Call arguments:
        state: Dict of `tokens`, integers of shape `(rows, max_length)`.

    Example:

    >>> constraint = k2s.search.constraints.RepetitionPenalty(1.5)
    >>> search = k2s.search.BeamSearch(constraints=[constraint])

    References:
        - [Keskar et al., 2019](https://arxiv.org/abs/1909.05858), section 4.1
          (there for the logits)
    """

    def __init__(self, penalty=1.2):
        self.penalty = check_positive(penalty, "penalty")

    def first_state(self, rows, max_length):
        return {"tokens": empty_history(rows, max_length)}

    def __call__(self, log_probs, state, context):
        tokens = state["tokens"]
        seen = vocabulary_mask(tokens, tokens != NOTHING, log_probs.shape[-1])
        changes = seen & possible(log_probs)
        return ops.where(changes, self.penalty * log_probs, log_probs)

    def next_state(self, state, token_ids, index):
        return {"tokens": write_token(state["tokens"], token_ids, index)}

    def get_config(self):
        return {"penalty": self.penalty}
