"""Replaces unknown tokens by words of the source."""

import numpy as np

from keras_seq2seq.text.utf8 import replace_surrogates


def source_words(tokenizer, text):
    """Words of a source that can be copied, for each of its tokens.

    Returns:
        List with `(span, word)` for each token, or `None` for a token without
        text. The word is part of the original text, or the token itself if the
        tokenizer does not have a span for each token.
    """
    text = replace_surrogates(text)
    tokens, spans = tokenizer.tokenize(text), tokenizer.spans(text)
    if spans is None or len(spans) != len(tokens):
        return [((i, i + 1), token) for i, token in enumerate(tokens)]
    return [span and (span, text[slice(*span)]) for span in spans]


def copy_words(unknown, attention, words):
    """Dict of position -> the word that replaces an unknown token.

    It is the source word with the highest attention score. If consecutive
    unknown tokens attend to a word of several tokens, the first one is replaced
    by the word and the others by `""`. Tokens that attend to nothing are left
    out.

    Args:
        unknown: List of the positions of the unknown tokens in the target.
        attention: Array of shape `(target, source)`.
        words: List from `source_words`.
    """
    positions = [i for i, word in enumerate(words) if word is not None]
    spans = [word and word[0] for word in words]
    copied, last = {}, (None, None)
    for t in unknown:
        scores = attention[t, positions]
        if not scores.any():  # a model without attention has none
            continue
        span, word = words[positions[np.argmax(scores)]]
        again = last == (t - 1, span) and spans.count(span) > 1
        copied[int(t)] = "" if again else word
        last = t, span
    return copied


def insert_words(copied, token_ids, tokenizer):
    """Decode a target, with words instead of unknown tokens.

    Args:
        copied: Dict from `copy_words`.
        token_ids: Integers of shape `(length,)`, without the end token.
        tokenizer: `Tokenizer` of the target.
    """
    vocabulary = tokenizer.vocabulary
    skipped = vocabulary.pad_token_id, vocabulary.start_token_id
    words = []
    for position, token_id in enumerate(token_ids):
        if token_id == vocabulary.unknown_token_id:
            words.append(copied.get(position, tokenizer.unknown_text))
        elif token_id not in skipped:
            words.append(vocabulary.id_to_token(int(token_id)))
    return tokenizer.detokenize(word for word in words if word)
