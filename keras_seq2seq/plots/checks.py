"""Checks of tokens and attention scores to draw."""

import keras
import numpy as np

from keras_seq2seq.plots.panel import Panel
from keras_seq2seq.plots.panel import get_sides
from keras_seq2seq.tasks import Hypothesis


def unpack(target_tokens, attention_scores):
    """Return tokens and attention scores; unpack a `Hypothesis`."""
    if not isinstance(target_tokens, Hypothesis):
        return target_tokens, attention_scores
    if attention_scores is not None:
        raise ValueError(
            "A `Hypothesis` has its own `attention_scores`. Received: a "
            "`Hypothesis` and `attention_scores`. Leave the latter out, or "
            "pass `hypothesis.tokens`."
        )
    if target_tokens.attention_scores is None:
        raise ValueError(
            "The `Hypothesis` must hold attention scores. Received: one "
            "without. Request them with "
            "`task.generate(..., return_attention_scores=True)`."
        )
    return target_tokens.tokens, target_tokens.attention_scores


def create_panel(
    source_tokens, target_tokens, scores, heading=None, kind="memory"
):
    """Create a `Panel`; raise unless the scores fit the tokens.

    Args:
        source_tokens, target_tokens: Lists of strings.
        scores: Array or tensor.
        heading: String, or `None`.
        kind: One of `KINDS`.
    """
    check_tokens("source_tokens", source_tokens)
    check_tokens("target_tokens", target_tokens)
    around = get_sides(kind, source_tokens, target_tokens)
    scores = np.asarray(keras.ops.convert_to_numpy(scores))
    expected = len(around["rows"]), len(around["columns"])
    if scores.shape != expected:
        raise ValueError(
            "`attention_scores` must be of shape (target tokens, source "
            f"tokens), here {expected}. Received: attention_scores of shape "
            f"{scores.shape}. Pass one hypothesis at a time, without padding."
        )
    scores = scores.astype("float32")
    if not np.isfinite(scores).all():
        raise ValueError(
            "`attention_scores` must be finite. Received: attention_scores "
            "with infinite values or NaN."
        )
    return Panel(scores=scores, heading=heading, **around)


def create_head_panels(
    source_tokens, target_tokens, attention_scores, heading="", kind="memory"
):
    """Create a list with a `Panel` for each head of a layer."""
    heads = np.asarray(keras.ops.convert_to_numpy(attention_scores))
    if heads.ndim != 3 or not len(heads):
        raise ValueError(
            "`attention_scores` must be of shape (heads, target tokens, "
            "source tokens). Received: attention_scores of shape "
            f"{heads.shape}. Use `plots.attention` for a mean over heads."
        )
    heading = f"{heading}, " if heading else ""
    return [
        create_panel(
            source_tokens,
            target_tokens,
            scores,
            f"{heading}head {number}",
            kind,
        )
        for number, scores in enumerate(heads, 1)
    ]


def check_tokens(name, tokens):
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
    for index, token in enumerate(tokens):
        if not isinstance(token, str):
            raise TypeError(
                f"`{name}` must be a list of strings. Received: "
                f"{name}[{index}] of type `{type(token).__name__}`"
            )
