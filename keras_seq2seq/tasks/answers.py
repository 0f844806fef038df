"""From the arrays of an `InferenceModel` to hypotheses with text."""

import re

import numpy as np

from keras_seq2seq.tasks.copying import copies
from keras_seq2seq.tasks.copying import text_with
from keras_seq2seq.tasks.hypothesis import Hypothesis


def hypotheses_of(row, source_tokens, tokenizer, *, words=None):
    """List of `Hypothesis`, best first, of one row.

    Where nothing was found (weights that are not finite, constraints that
    leave nothing), one empty answer with score -1e9, as the export gives it.

    Args:
        row: Dict of arrays without the batch axis, as `InferenceModel` gives
            them.
        source_tokens: List of strings. Attention scores are cut to them.
        tokenizer: `Tokenizer` of the target.
        words: List, as `source_words` gives it, of what takes the place of
            unknown tokens, or `None`. It needs the attention scores.
    """
    return [
        _hypothesis(row, place, source_tokens, tokenizer, words)
        for place in range(len(row["lengths"]))
        if place == 0 or row["lengths"][place] > 0
    ]


def _hypothesis(row, place, source_tokens, tokenizer, words):
    vocabulary = tokenizer.vocabulary
    length = row["lengths"][place]
    token_ids = row["token_ids"][place][:length]
    token_ids = token_ids[token_ids != vocabulary.end_token_id]
    tokens = [vocabulary.id_to_token(int(i)) for i in token_ids]
    text, scores = tokenizer.decode(token_ids), row.get("attention_scores")
    if scores is not None:
        scores = cut_scores(scores, len(tokens), len(source_tokens), place)
    unknown = np.flatnonzero(token_ids == vocabulary.unknown_token_id)
    if words and len(unknown):
        copied = copies(unknown, _of_last_layer(scores), words)
        tokens = [copied.get(t, token) for t, token in enumerate(tokens)]
        text = text_with(copied, token_ids, tokenizer) if copied else text
    log_probs, total = row.get("log_probs"), None
    if log_probs is not None:
        log_probs = log_probs[place, :length]
        total = float(row["total_log_probs"][place])
    score = float(row["scores"][place])
    return Hypothesis(text, score, tokens, scores, log_probs, total)


def _of_last_layer(scores):
    if isinstance(scores, dict):
        return np.mean([*scores["memory"].values()][-1], axis=0)
    return scores


def cut_scores(scores, target_length, source_length, place=slice(None)):
    """Attention scores of one hypothesis, without padding.

    Args:
        scores: Array of shape `(..., target, source)`, or the dict of those by
            layer.
        target_length, source_length: Integers.
        place: Which hypothesis, where the scores are of several.
    """
    if not isinstance(scores, dict):
        return scores[place][..., :target_length, :source_length]
    sides = {
        "encoder": (slice(None), source_length, source_length),
        "decoder": (place, target_length, target_length),
        "memory": (place, target_length, source_length),
    }
    return {
        kind: {
            layer: scores[kind][layer][own][..., :rows, :columns]
            for layer in sorted(scores[kind], key=_by_number)
        }
        for kind, (own, rows, columns) in sides.items()
        if kind in scores
    }


def _by_number(layer):
    """`block_10` comes after `block_9`: JAX has them in another order."""
    return [int(x) if x.isdecimal() else x for x in re.split(r"(\d+)", layer)]
