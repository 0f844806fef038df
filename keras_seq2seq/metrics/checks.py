"""Checks of references and hypotheses."""


def check_pairs(references, hypotheses):
    """Raise unless each hypothesis has a list of references."""
    if len(references) != len(hypotheses):
        raise ValueError(
            "`references` and `hypotheses` must have the same length, with a "
            "list of references and a hypothesis for each source. "
            f"Received: len(references)={len(references)}, "
            f"len(hypotheses)={len(hypotheses)}."
        )
    if not len(references):
        raise ValueError(
            "`references` must not be empty. Received: len(references)=0. "
            "A rate needs at least one source."
        )
    for index, (group, hypothesis) in enumerate(zip(references, hypotheses)):
        _check_group(index, group)
        _check_tokens(f"hypotheses[{index}]", hypothesis)


def _check_group(index, group):
    if isinstance(group, str) or not len(group):
        raise ValueError(
            "`references` must hold a list of at least one token list for each "
            f"source. Received: references[{index}] of type "
            f"{type(group).__name__} and length {len(group)}. "
            "Leave out sources without a reference."
        )
    for position, tokens in enumerate(group):
        _check_tokens(f"references[{index}][{position}]", tokens)


def _check_tokens(name, tokens):
    if isinstance(tokens, str) or not hasattr(tokens, "__len__"):
        raise ValueError(
            f"`{name}` must be a list of tokens. "
            f"Received: {name} of type {type(tokens).__name__}. Split text "
            "into tokens first; wrap a single reference in a list."
        )
