from keras import ops


class CarriedState:
    """What a score or a normalizer remembers of earlier attention.

    A part that remembers sets `has_state = True` and fills `first_state` and
    `next_state`. Its state is one number for each place of the memory. The
    decoder cell carries it from step to step, and a search reorders it like
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
            keys: What the score's `project_keys` gave.
        """
        raise NotImplementedError

    def first_state_of(self, query, value):
        """The first state for each of several queries: `(batch, Tq, Tv)`."""
        state = ops.expand_dims(self.first_state(value), 1)
        return ops.repeat(state, ops.shape(query)[1], axis=1)
