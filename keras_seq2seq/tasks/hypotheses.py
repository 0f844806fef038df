"""Converts the arrays of an `InferenceModel` to hypotheses with text."""

import re

import numpy as np

from keras_seq2seq.tasks.copying import copy_words
from keras_seq2seq.tasks.copying import insert_words
from keras_seq2seq.tasks.hypothesis import Hypothesis


def create_hypotheses(row, source_tokens, tokenizer, *, words=None):
    """List of `Hypothesis` of one row, best first.

    If the search found none (non-finite weights, or constraints that allow
    nothing), there is one empty hypothesis with score -1e9, as in an export.

    Args:
        row: Dict of arrays of an `InferenceModel`, without the batch axis.
        source_tokens: List of strings. Attention scores are cropped to them.
        tokenizer: `Tokenizer` of the target.
        words: List from `source_words` that replaces unknown tokens, or `None`.
            It needs attention scores.
    """
    return [
        _create_hypothesis(row, rank, source_tokens, tokenizer, words)
        for rank in range(len(row["lengths"]))
        if rank == 0 or row["lengths"][rank] > 0
    ]


def _create_hypothesis(row, rank, source_tokens, tokenizer, words):
    vocabulary = tokenizer.vocabulary
    length = row["lengths"][rank]
    token_ids = row["token_ids"][rank][:length]
    token_ids = token_ids[token_ids != vocabulary.end_token_id]
    tokens = [vocabulary.id_to_token(int(i)) for i in token_ids]
    text, scores = tokenizer.decode(token_ids), row.get("attention_scores")
    if scores is not None:
        scores = crop_scores(scores, len(tokens), len(source_tokens), rank)
    unknown = np.flatnonzero(token_ids == vocabulary.unknown_token_id)
    if words and len(unknown):
        copied = copy_words(unknown, _select_last_layer(scores), words)
        tokens = [copied.get(t, token) for t, token in enumerate(tokens)]
        text = insert_words(copied, token_ids, tokenizer) if copied else text
    log_probs, total = row.get("log_probs"), None
    if log_probs is not None:
        log_probs = log_probs[rank, :length]
        total = float(row["total_log_probs"][rank])
    score = float(row["scores"][rank])
    return Hypothesis(text, score, tokens, scores, log_probs, total)


def _select_last_layer(scores):
    if isinstance(scores, dict):
        return np.mean([*scores["memory"].values()][-1], axis=0)
    return scores


def crop_scores(scores, target_length, source_length, rank=slice(None)):
    """Attention scores of one hypothesis, without padding.

    Args:
        scores: Array of shape `(..., target, source)`, or a dict of scores by
            layer.
        target_length, source_length: Integers.
        rank: Integer. Index of the hypothesis, if there are scores of several.
    """
    if not isinstance(scores, dict):
        return scores[rank][..., :target_length, :source_length]
    sides = {
        "encoder": (slice(None), source_length, source_length),
        "decoder": (rank, target_length, target_length),
        "memory": (rank, target_length, source_length),
    }
    return {
        kind: {
            layer: scores[kind][layer][own][..., :rows, :columns]
            for layer in sorted(scores[kind], key=_sort_key)
        }
        for kind, (own, rows, columns) in sides.items()
        if kind in scores
    }


def _sort_key(layer):
    """Sort `block_10` after `block_9`; JAX sorts layers alphabetically."""
    return [int(x) if x.isdecimal() else x for x in re.split(r"(\d+)", layer)]
