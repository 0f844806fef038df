from keras import ops

from keras_seq2seq.search.constraints.constraint import Constraint


class Ban(Constraint):
    """Abstract constraint that bans tokens.

    A hypothesis may be cut at any length: it then has no end token, so a ban of
    the end token does not apply.
    """

    def may_stop(self, log_probs, state, context):
        return ops.ones_like(log_probs[:, :1], "bool")
