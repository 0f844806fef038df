from keras_seq2seq.search.search_part import SearchPart
from keras_seq2seq.search.special import possible


class Constraint(SearchPart):
    """Abstract constraint: restricts the next token of a hypothesis.

    At each step, a search applies its constraints to the log-probabilities, one
    after the other, before it chooses tokens. To ban a token, a constraint sets
    its entry to `IMPOSSIBLE` (-1e9) and leaves the others unchanged. Nothing is
    renormalized, so the scores of hypotheses are still the model's, and the
    order of bans does not matter. If all tokens are banned, the hypothesis ends
    without being finished.

    Constraints also apply to hypotheses that are cut at `max_length`: a
    constraint that still bans the end token there rejects the hypothesis. The
    search calls `may_stop` to find out.

    A constraint that depends on earlier tokens has a state: nested tensors
    whose first axis is `rows`. The search reorders it with the beams. Data that
    differs between calls, such as a prefix, is a data input: a `SearchInput` in
    `inputs`.

    Call arguments:
        log_probs: Float32 tensor of shape `(rows, vocabulary_size)`.
        state: The result of `first_state` or `next_state`.
        context: `StepContext`.

    Returns:
        Log-probabilities of the same shape, none of them above 0.
    """

    def first_state(self, rows, max_length):
        """State of `rows` hypotheses before the first token."""
        return {}

    def __call__(self, log_probs, state, context):
        raise NotImplementedError

    def may_stop(self, log_probs, state, context):
        """Whether a hypothesis may be cut: booleans of shape `(rows, 1)`.

        By default, where the constraint allows the end token.

        Args:
            log_probs: Zeros of shape `(rows, vocabulary_size)`, so that only
                the constraint decides.
            state: The state after the last token.
            context: `StepContext`. Its `index` is the search's `max_length`.
        """
        end = context.end_token_id
        after = self(log_probs, state, context)
        return possible(after[:, end : end + 1])

    def next_state(self, state, token_ids, index):
        """State after the tokens `token_ids (rows,)` at position `index`."""
        return state
