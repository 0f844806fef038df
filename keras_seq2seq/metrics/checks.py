"""Checks of references and hypotheses."""


def check_pairs(references, hypotheses):
    """Raise unless each token list has a list of token lists."""
    _check_all(references, hypotheses, "token list", _check_tokens)


def check_text_pairs(references, hypotheses):
    """Raise unless each string has a list of strings."""
    _check_all(references, hypotheses, "text", _check_text)


def _check_all(references, hypotheses, kind, check):
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
        _check_group(index, group, kind)
        for position, reference in enumerate(group):
            check(f"references[{index}][{position}]", reference)
        check(f"hypotheses[{index}]", hypothesis)


def _check_group(index, group, kind):
    if isinstance(group, str) or not len(group):
        raise ValueError(
            "`references` must hold a list of at least one token list for each "
            f"source. Received: references[{index}] of type "
            f"{type(group).__name__} and length {len(group)}. "
            "Leave out sources without a reference."
        )


def _check_tokens(name, tokens):
    if isinstance(tokens, str) or not hasattr(tokens, "__len__"):
        raise ValueError(
            f"`{name}` must be a list of tokens. "
            f"Received: {name} of type {type(tokens).__name__}. Split text "
            "into tokens first; wrap a single reference in a list."
        )


def _check_text(name, text):
    if not isinstance(text, str):
        raise ValueError(
            f"`{name}` must be a string. Received: {name} of type "
            f"{type(text).__name__}. Join tokens into text first."
        )
