"""Checks of what is to be drawn."""

import keras
import numpy as np


def check_scores(source_tokens, target_tokens, attention_scores):
    """Array of scores that fits its tokens, or an error that says why not."""
    for name, tokens in (
        ("source_tokens", source_tokens),
        ("target_tokens", target_tokens),
    ):
        _check_tokens(name, tokens)
    scores = np.asarray(keras.ops.convert_to_numpy(attention_scores))
    expected = len(target_tokens), len(source_tokens)
    if scores.shape != expected:
        raise ValueError(
            "`attention_scores` must be of shape (target tokens, source "
            f"tokens), here {expected}. Received: attention_scores of shape "
            f"{scores.shape}. Give one hypothesis at a time, without padding."
        )
    scores = scores.astype("float32")
    if not np.isfinite(scores).all():
        raise ValueError(
            "`attention_scores` must be finite. Received: attention_scores "
            "with infinite values or NaN."
        )
    return scores


def check_heads(source_tokens, target_tokens, attention_scores):
    """List of the checked scores of the heads of a layer."""
    heads = np.asarray(keras.ops.convert_to_numpy(attention_scores))
    if heads.ndim != 3 or not len(heads):
        raise ValueError(
            "`attention_scores` must be of shape (heads, target tokens, "
            "source tokens). Received: attention_scores of shape "
            f"{heads.shape}. Use `plots.attention` for a mean over heads."
        )
    return [
        check_scores(source_tokens, target_tokens, scores) for scores in heads
    ]


def _check_tokens(name, tokens):
    if isinstance(tokens, str) or not hasattr(tokens, "__len__"):
        raise TypeError(
            f"`{name}` must be a list of strings. Received: {name} of type "
            f"`{type(tokens).__name__}`. Split text with "
            "`task.source_tokenizer.tokenize(text)`."
        )
    if not len(tokens):
        raise ValueError(
            f"`{name}` must hold at least one token. Received: len({name})=0"
        )
    for place, token in enumerate(tokens):
        if not isinstance(token, str):
            raise TypeError(
                f"`{name}` must be a list of strings. Received: "
                f"{name}[{place}] of type `{type(token).__name__}`"
            )
