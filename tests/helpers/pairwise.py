"""A pairwise cover: every two choices meet in some row."""

import itertools


def pairwise(factors):
    """Rows such that any two choices of two factors stand in one of them.

    Args:
        factors: Dict of factor -> list of choices.

    Returns:
        List of dicts of factor -> choice.
    """
    names = list(factors)
    missing = {
        ((a, x), (b, y))
        for a, b in itertools.combinations(names, 2)
        for x in factors[a]
        for y in factors[b]
    }
    rows = []
    while missing:
        row = dict(min(missing, key=str))
        for name in names:
            if name not in row:
                row[name] = max(
                    factors[name],
                    key=lambda choice: sum(
                        pair in missing
                        for pair in pairs({**row, name: choice}, names)
                    ),
                )
        missing -= set(pairs(row, names))
        rows.append(row)
    return rows


def pairs(row, names):
    present = [(name, row[name]) for name in names if name in row]
    return list(itertools.combinations(present, 2))
