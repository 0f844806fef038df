"""Joins subwords into words, with their attention scores."""

import dataclasses
import itertools

import numpy as np

from keras_seq2seq.metrics.rouge_words import UNSPACED
from keras_seq2seq.tasks import Hypothesis
from keras_seq2seq.utils.checks import check_type


def join_subwords(task, text, hypothesis):
    """Join the subwords of a source and of a hypothesis into words.

    The attention score of a word is the sum over the subwords of a source word,
    and the mean over the subwords of a target word, so that the scores of a
    target word still sum to 1. The `spans` of the tokenizers tell which tokens
    belong to a word; tokens without spans stay alone. In scripts without spaces
    between words, such as Han, kana and Thai, subwords are not joined.

    Args:
        task: Task with a target tokenizer and, for sources that are texts, a
            source tokenizer.
        text: String. The source.
        hypothesis: `Hypothesis` with attention scores of the source, from
            `task.generate([text], return_attention_scores=True)` or
            `task.score`. Scores by layer are not supported.

    Returns:
        List of the words of the source, and a `Hypothesis` whose `tokens` are
        words: the first two arguments of `attention`.

    Example:

    >>> texts = ["low lower lowest", "new newer newest"]
    >>> subwords = k2s.text.SubwordTokenizer.from_texts(
    ...     texts, vocabulary_size=275
    ... )
    >>> subwords.tokenize("newest low")
    ['▁ne', 'we', 'st', '▁lo', 'w']
    >>> task = k2s.tasks.TextToText.from_corpus(
    ...     [(text, text) for text in texts], "luong_2015", units=4,
    ...     embedding_dim=4, source_tokenizer=subwords,
    ...     target_tokenizer=subwords,
    ... )
    >>> best = task.score([("newest low", "low")],
    ...     return_attention_scores=True)[0]
    >>> best.attention_scores.shape
    (2, 5)
    >>> words, joined = k2s.plots.join_subwords(task, "newest low", best)
    >>> words, joined.tokens, joined.attention_scores.shape
    (['newest', 'low'], ['low'], (1, 2))
    """
    check_type(hypothesis, "hypothesis", Hypothesis)
    scores = hypothesis.attention_scores
    if scores is None or isinstance(scores, dict):
        kind = "without" if scores is None else "scores by layer"
        raise ValueError(
            "`hypothesis` must hold one array of attention scores. Received: "
            f"hypothesis with attention scores: {kind}. Request them with "
            "`task.generate(..., return_attention_scores=True)`."
        )
    labels = task.source_labels(text)
    tokenizer = getattr(task, "source_tokenizer", None)
    columns = [(label, 1) for label in labels]
    if tokenizer is not None and labels == tokenizer.tokenize(text):
        columns = _group(tokenizer, text, labels)
    rows = _group(task.target_tokenizer, hypothesis.text, hypothesis.tokens)
    heights = [count for _, count in rows]
    joined = _add(scores, [count for _, count in columns], axis=1)
    joined = _add(joined, heights, axis=0) / np.reshape(heights, (-1, 1))
    return [word for word, _ in columns], dataclasses.replace(
        hypothesis,
        tokens=[word for word, _ in rows],
        attention_scores=joined,
    )


def _add(scores, counts, axis):
    """Add runs of neighbors along an axis."""
    if not counts:
        return scores
    starts = np.cumsum([0, *counts[:-1]])
    return np.add.reduceat(scores, starts, axis=axis)


def _group(tokenizer, text, tokens):
    """List of words with their numbers of tokens."""
    spans = _spans(tokenizer, text, tokens)
    groups = []
    for span, run in itertools.groupby(zip(spans, tokens), lambda x: x[0]):
        run = [token for _, token in run]
        if span is None:
            groups += [(token, 1) for token in run]
        else:
            groups.append((text[slice(*span)], len(run)))
    return groups


def _spans(tokenizer, text, tokens):
    """Span of the word, or of the characters, of each token, or `None`."""
    spans, tokens = tokenizer.spans(text), list(tokens)
    usual = tokenizer.tokenize(text)
    if spans is None or len(spans) != len(usual):
        return [None] * len(tokens)
    if tokenizer.detokenize(tokens) != text:  # unknown or copied tokens
        return spans if tokens == usual else [None] * len(tokens)
    words = {i: span for span in spans if span for i in range(*span)}
    found = []
    for start, end in _regions(tokenizer, tokens):
        visible = [
            i for i in range(start, end) if i in words or not text[i].isspace()
        ]
        if not visible:  # a further byte of a character, or a space
            found.append(found[-1] if start == end and found else "next")
            continue
        word = words.get(visible[0])
        if word is None or UNSPACED.search(text, *word):
            word = visible[0], visible[-1] + 1
        found.append(word)
    for i in reversed(range(len(found))):
        if found[i] == "next":
            found[i] = found[i + 1] if i + 1 < len(found) else None
    return found


def _regions(tokenizer, tokens):
    """Start and end of each token in the text of all of them."""
    ends = [
        len(tokenizer.detokenize(tokens[:count]))
        for count in range(1, len(tokens) + 1)
    ]
    return zip([0, *ends], ends)
