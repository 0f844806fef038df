"""Assigns texts to splits by their hash."""

import hashlib

from keras_seq2seq.utils.checks import check_rate

SPLITS = ("train", "validation", "test")


def check_fractions(validation, test):
    """Raise unless both are fractions with a sum below 1."""
    check_rate(validation, "validation")
    check_rate(test, "test")
    if validation + test >= 1:
        raise ValueError(
            "The sum of `validation` and `test` must be less than 1. "
            f"Received: validation={validation!r}, test={test!r}"
        )


def split_of(text: str, validation: float, test: float) -> str:
    """Return the name of the split of a text.

    The first 8 bytes of its SHA-1 hash, divided by 2^64, are compared with
    `test`, then with `test + validation`. Whitespace around the text is not
    hashed, as the filters ignore it.
    """
    written = text.strip().encode("utf-8", "surrogatepass")
    digest = hashlib.sha1(written, usedforsecurity=False).digest()
    number = int.from_bytes(digest[:8], "big") / 2**64
    if number < test:
        return "test"
    return "validation" if number < test + validation else "train"
