"""Encodes texts, with a warning about unknown tokens."""

import itertools

import numpy as np

from keras_seq2seq.data import TokenRows
from keras_seq2seq.utils.caller import warn_caller
from keras_seq2seq.utils.chunks import chunks

SHARE = 0.1  # of unknown tokens; more give a warning
CHUNK = 4096  # texts


def encode_texts(tokenizer, texts, argument):
    """Encode texts to `TokenRows`.

    Warns if more than one token, and more than a tenth of all tokens, are
    unknown.

    Args:
        tokenizer: `Tokenizer`.
        texts: Sequence of strings.
        argument: String. The name of the texts in the warning.
    """
    parts = map(tokenizer.encode_batch, chunks(texts, CHUNK))
    rows = TokenRows.from_rows(itertools.chain.from_iterable(parts))
    is_unknown = rows.token_ids == tokenizer.vocabulary.unknown_token_id
    count, total = np.count_nonzero(is_unknown), is_unknown.size
    if count > max(1, SHARE * total):
        first = np.argmax(is_unknown)
        index = np.searchsorted(rows.ends, first, "right")
        tokens = tokenizer.tokenize(texts[index])
        example = tokens[first - rows.starts[index]]
        warn_caller(
            f"At most {SHARE:.0%} of the tokens of `{argument}` should be "
            f"unknown: the model can only guess at them. Received: "
            f"{count / total:.1%}, such as {example!r} in text {index}. Check "
            "language, case and tokenizer, or train on such texts."
        )
    return rows
