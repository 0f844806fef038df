"""Example requests, for the smoke test and to warm up a server."""

from keras_seq2seq.data import bucket_length

LENGTHS = (4, 16, 64)  # of made-up examples, in positions


def make_examples(source, sources=None):
    """List of examples of a `ServedSource`, one a bucket, shortest first.

    Args:
        source: `ServedSource`.
        sources: List of real sources. Defaults to `None`: they are made up.
    """
    if not sources:
        lengths = {min(length, source.max_length) for length in LENGTHS}
        return [source.made_up(length) for length in sorted(lengths)]
    buckets = {}
    for example in source.examples(sources):
        length = min(source.length(example), source.max_length)
        buckets.setdefault(bucket_length(length), example)
    return [example for _, example in sorted(buckets.items())]
