"""All hypotheses of a fake language, by enumeration in NumPy."""

import numpy as np

# From the log-probability, the length and the length of the source.
PENALTIES = {
    "none": lambda total, length, source: total,
    "avg": lambda total, length, source: total / length,
    "wu": lambda total, length, source: total / ((5 + length) / 6) ** 0.6,
    "brevity": lambda total, length, source: (
        total + min(0.0, 1 - source / length)
    ),
}


def all_hypotheses(language, states, symbols, max_length, end=2, start=1):
    """Dict of token ids -> log-probability for each row.

    Each hypothesis is a tuple that ends with `end` or has `max_length` tokens.
    """
    rows = len(next(iter(states.values())))
    finished = [{} for _ in range(rows)]
    live = {(): np.zeros(rows)}
    for length in range(1, max_length + 1):
        new = {}
        for prefix, scores in live.items():
            prefixes = np.tile([[(start, *prefix)]], (rows, 1, 1))
            log_probs = language.log_probs(states, prefixes)[:, 0]
            for token in (*symbols, end):
                total = scores + log_probs[:, token]
                if token == end or length == max_length:
                    for row in range(rows):
                        finished[row][(*prefix, token)] = total[row]
                else:
                    new[(*prefix, token)] = total
        live = new
    return finished


def best_of(
    finished, max_length, n_best, penalty="none", min_length=0, sources=None
):
    """The `n_best` of `all_hypotheses`, in the format of a search.

    Args:
        sources: Lengths of the sources. Defaults to `None`: 0.
    """
    shape = (len(finished), n_best)
    result = {
        "token_ids": np.zeros((*shape, max_length), "int32"),
        "lengths": np.zeros(shape, "int32"),
        "scores": np.full(shape, -1e9, "float32"),
    }
    score_of = PENALTIES[penalty]
    for row, hypotheses in enumerate(finished):
        source = 0 if sources is None else sources[row]
        scored = [
            (score_of(score, len(tokens), source), tokens)
            for tokens, score in hypotheses.items()
            if len(tokens) >= min_length
        ]
        for n, (score, tokens) in enumerate(sorted(scored)[::-1][:n_best]):
            result["token_ids"][row, n, : len(tokens)] = tokens
            result["lengths"][row, n] = len(tokens)
            result["scores"][row, n] = score
    return result
