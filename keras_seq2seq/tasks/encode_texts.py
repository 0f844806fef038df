"""Encodes texts, with a warning about unknown tokens."""

from keras_seq2seq.utils.caller import warn_caller

SHARE = 0.1  # of unknown tokens; more give a warning


def encode_texts(tokenizer, texts, argument):
    """Encode texts to a list of lists of ids.

    Warns if more than one token, and more than a tenth of all tokens, are
    unknown.

    Args:
        tokenizer: `Tokenizer`.
        texts: Sequence of strings.
        argument: String. The name of the texts in the warning.
    """
    rows = [tokenizer.encode(text) for text in texts]
    unknown = tokenizer.vocabulary.unknown_token_id
    count = sum(row.count(unknown) for row in rows)
    total = sum(map(len, rows))
    if count > max(1, SHARE * total):
        index = next(i for i, row in enumerate(rows) if unknown in row)
        tokens = tokenizer.tokenize(texts[index])
        example = tokens[rows[index].index(unknown)]
        warn_caller(
            f"At most {SHARE:.0%} of the tokens of `{argument}` should be "
            f"unknown: the model can only guess at them. Received: "
            f"{count / total:.1%}, such as {example!r} in text {index}. Check "
            "language, case and tokenizer, or train on such texts."
        )
    return rows
