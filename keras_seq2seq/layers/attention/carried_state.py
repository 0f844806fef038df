from keras import ops


class CarriedState:
    """State of a score or a normalizer that depends on earlier attention.

    A subclass with a state sets `has_state = True` and implements `first_state`
    and `next_state`. The state has one number for each position of the memory.
    The decoder cell carries it from step to step, and a search reorders it like
    any other state.
    """

    has_state = False

    def first_state(self, value):
        """State before the first step, of shape `(batch_size, Tv)`.

        Args:
            value: Float tensor of shape `(batch_size, Tv, value_dim)`.
        """
        return ops.zeros_like(value[:, :, 0])

    def next_state(self, state, attention_scores, keys):
        """State after a step, of shape `(batch_size, Tq, Tv)`.

        Args:
            state, attention_scores: Float tensors of shape
                `(batch_size, Tq, Tv)`.
            keys: The result of the score's `project_keys`.
        """
        raise NotImplementedError

    def first_state_of(self, query, value):
        """First state of each query, of shape `(batch_size, Tq, Tv)`."""
        state = ops.expand_dims(self.first_state(value), 1)
        return ops.repeat(state, ops.shape(query)[1], axis=1)
