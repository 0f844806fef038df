from keras_seq2seq.search.search_part import SearchPart
from keras_seq2seq.search.special import possible


class Constraint(SearchPart):
    """Abstract constraint: what may follow a hypothesis.

    A search calls its constraints, one after the other, on the
    log-probabilities of each step before it chooses. A ban sets an entry to
    `IMPOSSIBLE` (-1e9) and leaves the others alone: nothing is renormalized,
    so the scores of hypotheses stay those of the model, and the order of bans
    does not matter. Where constraints leave nothing, the hypothesis ends
    without having finished.

    A hypothesis may stop only where its constraints let it: one that bans the
    end token until something has come is also honoured at `max_length`, where
    a hypothesis is cut. There `may_stop` is asked.

    A constraint that looks back has a state, nested tensors with `rows` in
    front. The search reorders it with the beams. What differs from call to
    call, such as a prefix, comes as a data input: a `SearchInput` in `inputs`.

    Call arguments:
        log_probs: Float32 tensor of shape `(rows, vocabulary_size)`.
        state: What `first_state` or `next_state` gave.
        context: `StepContext`.

    Returns:
        Log-probabilities of the same shape, none of them above 0.
    """

    def first_state(self, rows, max_length):
        """State before the first token, for `rows` hypotheses."""
        return {}

    def __call__(self, log_probs, state, context):
        raise NotImplementedError

    def may_stop(self, log_probs, state, context):
        """Whether a hypothesis may be cut here, booleans of shape `(rows, 1)`.

        By default where the constraint leaves the end token possible.

        Args:
            log_probs: Zeros of shape `(rows, vocabulary_size)`: a model to
                which all is possible.
            state: After the last token.
            context: `StepContext`; its `index` is the search's `max_length`.
        """
        end = context.end_token_id
        after = self(log_probs, state, context)
        return possible(after[:, end : end + 1])

    def next_state(self, state, token_ids, index):
        """State after `token_ids`, `(rows,)`, the tokens at place `index`."""
        return state
