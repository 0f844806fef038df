"""Texts to try an export on, and to warm a server up with."""

from keras_seq2seq.data import bucket_length
from keras_seq2seq.utils.checks import check_texts

LENGTHS = (4, 16, 64)  # of texts made up, in tokens


def example_texts(tokenizer, max_source_length, examples=None):
    """List of texts, one a bucket of lengths, shortest first.

    Args:
        tokenizer: `Tokenizer` of the source.
        max_source_length: Integer. Longer texts are cut by the graph, hence
            are of the last bucket.
        examples: List of strings, real ones. Defaults to `None`: texts are
            made from the vocabulary.
    """
    if not examples:
        lengths = {min(length, max_source_length) for length in LENGTHS}
        return [made_up(tokenizer, length) for length in sorted(lengths)]
    buckets = {}
    for text in check_texts(examples, "examples"):
        length = min(len(tokenizer.tokenize(text)), max_source_length)
        buckets.setdefault(bucket_length(length), text)
    return [text for _, text in sorted(buckets.items())]


def made_up(tokenizer, length):
    """A text of `length` tokens of the vocabulary."""
    tokens = tokenizer.vocabulary.tokens or ("?",)
    return tokenizer.detokenize(
        tokens[place % len(tokens)] for place in range(length)
    )
