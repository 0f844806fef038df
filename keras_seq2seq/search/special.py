"""What the tokens with a meaning of their own do to a step."""

IMPOSSIBLE = -1e9  # a log-probability that stands for "cannot be"


def possible(log_probs):
    """Where a log-probability is one; `False` for NaN too."""
    return log_probs > IMPOSSIBLE / 2


def may_follow(token_ids, index, problem, min_length):
    """Booleans of the shape of `token_ids`: `False` for at most three ids.

    Padding and the start token are never chosen, unless one of them is the end
    token; the end token not before `min_length`.

    Args:
        token_ids: Array or tensor of integers.
        index: Integer, the number of tokens before.
        problem: `Problem`, or a `Vocabulary`: it has the same special ids.
        min_length: Integer.
    """
    end, pad = problem.end_token_id, problem.pad_token_id
    other = (token_ids != pad) & (token_ids != problem.start_token_id)
    allowed = (token_ids == end) | other
    if not min_length:
        return allowed
    return allowed & ((token_ids != end) | (index + 1 >= min_length))
