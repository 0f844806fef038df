"""What special token ids do to a step."""

IMPOSSIBLE = -1e9  # a log-probability that stands for "cannot be"


def possible(log_probs):
    """Where a log-probability is one; `False` for NaN too."""
    return log_probs > IMPOSSIBLE / 2


def may_follow(token_ids, index, special_token_ids, min_length):
    """Booleans of the shape of `token_ids`: `False` for at most three ids.

    Padding and the start token are never chosen, unless one of them is the end
    token; the end token not before `min_length`.

    Args:
        token_ids: Array or tensor of integers.
        index: Integer, the number of tokens before.
        special_token_ids: What has them: a `StepContext` or a `Vocabulary`.
        min_length: Integer.
    """
    start, end = (
        special_token_ids.start_token_id,
        special_token_ids.end_token_id,
    )
    other = (token_ids != special_token_ids.pad_token_id) & (token_ids != start)
    allowed = (token_ids == end) | other
    if not min_length:
        return allowed
    return allowed & ((token_ids != end) | (index + 1 >= min_length))
