class SignedScore(float):
    """Float with a signature that describes how it was computed.

    Scores with different signatures are not comparable. Report both.

    Args:
        value: Number.
        signature: String.

    Example:

    >>> score = k2s.metrics.SignedScore(21.5, "BLEU|nrefs:1|case:mixed")
    >>> score
    SignedScore(21.5, 'BLEU|nrefs:1|case:mixed')
    >>> score > 20, f"{score:.2f}", score.signature
    (True, '21.50', 'BLEU|nrefs:1|case:mixed')
    """

    def __new__(cls, value, signature):
        score = super().__new__(cls, value)
        score.signature = signature
        return score

    def __getnewargs__(self):
        return float(self), self.signature

    def __repr__(self):
        return f"SignedScore({float(self)!r}, {self.signature!r})"

    __str__ = float.__repr__
