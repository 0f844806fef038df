from keras import ops

from keras_seq2seq.search.constraints.constraint import Constraint


class Ban(Constraint):
    """Abstract constraint: what a hypothesis must not hold.

    It may be cut anywhere: a hypothesis that is cut holds no end token, so a
    ban of the end token does not keep it from being cut.
    """

    def may_stop(self, log_probs, state, context):
        return ops.ones_like(log_probs[:, :1], "bool")
