import dataclasses


@dataclasses.dataclass(frozen=True)
class PairedScores:
    """Scores of two systems on the same sources, from `paired_bootstrap`.

    Args:
        baseline, other: Floats. The scores on all sources; `SignedScore` if the
            metric has a signature.
        p_value: Float. The probability of a difference at least as large as the
            one observed, if both systems were equally good. Below 0.05 the
            difference is usually called significant.
        baseline_interval, other_interval: Pairs of floats. The 95 % confidence
            interval of each score, mean minus and plus half of its width.
        num_samples: Integer. The number of samples.
        seed: Integer or `None`. The seed of the samples.

    Example:

    >>> scores = k2s.metrics.PairedScores(
    ...     0.2, 0.1, 0.03, (0.15, 0.25), (0.05, 0.15), 1000, 12345
    ... )
    >>> scores.p_value < 0.05
    True
    """

    baseline: float
    other: float
    p_value: float
    baseline_interval: tuple[float, float]
    other_interval: tuple[float, float]
    num_samples: int
    seed: int | None
