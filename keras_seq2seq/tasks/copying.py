"""Unknown tokens, replaced by what was written in the source."""

import numpy as np

from keras_seq2seq.text.utf8 import replace_surrogates


def source_words(tokenizer, text):
    """What may be copied of a source, for each of its tokens.

    Returns:
        List of `(span, word)`, one a token, or `None` for a token that stands
        for nothing in the text. The word is as it was written, or the token
        where the tokenizer has no spans, or not one for each.
    """
    text = replace_surrogates(text)
    tokens, spans = tokenizer.tokenize(text), tokenizer.spans(text)
    if spans is None or len(spans) != len(tokens):
        return [((i, i + 1), token) for i, token in enumerate(tokens)]
    return [span and (span, text[slice(*span)]) for span in spans]


def copies(unknown, attention, words):
    """Dict of place -> the word that takes the place of an unknown token.

    It is the one that was attended to most. Where unknown tokens in a row
    attended to one word of several pieces, the first is the word and the
    others are `""`. A token that attended to nothing is left out.

    Args:
        unknown: List of the places of the unknown tokens in the target.
        attention: Array of shape `(target, source)`.
        words: List, as `source_words` gives it.
    """
    places = [i for i, word in enumerate(words) if word is not None]
    spans = [word and word[0] for word in words]
    found, last = {}, (None, None)
    for t in unknown:
        scores = attention[t, places]
        if not scores.any():  # a model without attention has none
            continue
        span, word = words[places[np.argmax(scores)]]
        again = last == (t - 1, span) and spans.count(span) > 1
        found[int(t)] = "" if again else word
        last = t, span
    return found


def text_with(copied, token_ids, tokenizer):
    """Text of a target, in which words stand for unknown tokens.

    Args:
        copied: Dict, as `copies` gives it.
        token_ids: Integers of shape `(length,)`, without the end token.
        tokenizer: `Tokenizer` of the target.
    """
    vocabulary = tokenizer.vocabulary
    skipped = vocabulary.pad_token_id, vocabulary.start_token_id
    words = []
    for place, token_id in enumerate(token_ids):
        if token_id == vocabulary.unknown_token_id:
            words.append(copied.get(place, tokenizer.unknown_text))
        elif token_id not in skipped:
            words.append(vocabulary.id_to_token(int(token_id)))
    return tokenizer.detokenize(word for word in words if word)
