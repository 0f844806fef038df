"""From texts to ids, with a word about what the tokenizer does not know."""

from keras_seq2seq.utils.caller import warn_caller

SHARE = 0.1  # of unknown tokens, above which a warning comes


def encoded(tokenizer, texts, argument):
    """Ids of each text: a list of lists.

    Warns where more than a tenth of all tokens are unknown, and more than one:
    what a model says of them is a guess.

    Args:
        tokenizer: `Tokenizer`.
        texts: Sequence of strings.
        argument: String, what the texts are called in the warning.
    """
    rows = [tokenizer.encode(text) for text in texts]
    unknown = tokenizer.vocabulary.unknown_token_id
    count = sum(row.count(unknown) for row in rows)
    total = sum(map(len, rows))
    if count > max(1, SHARE * total):
        place = next(i for i, row in enumerate(rows) if unknown in row)
        tokens = tokenizer.tokenize(texts[place])
        example = tokens[rows[place].index(unknown)]
        warn_caller(
            f"At most {SHARE:.0%} of the tokens of `{argument}` should be "
            f"unknown: the model can only guess at them. Received: "
            f"{count / total:.1%}, such as {example!r} in text {place}. Check "
            "language, case and tokenizer, or train on such texts."
        )
    return rows
