import pytest

from keras_seq2seq.data import cmudict


@pytest.fixture(scope="module")
def corpus():
    return cmudict()


def find(corpus, word):
    for part in (corpus.train, corpus.validation, corpus.test):
        if word in part.sources:
            return part.references[part.sources.index(word)]
    return None


def test_sizes(corpus):
    assert len(corpus.train) == 109_788
    assert len(corpus.validation) == 2_549
    assert len(corpus.test) == 12_563


def test_parts_are_disjoint(corpus):
    parts = (corpus.train, corpus.validation, corpus.test)
    words = [word for part in parts for word in part.sources]
    assert len(words) == len(set(words)) == 124_900


def test_phones(corpus):
    parts = (corpus.train, corpus.validation, corpus.test)
    phones = {
        phone
        for part in parts
        for _, text in part.pairs()
        for phone in text.split(" ")
    }
    assert len(phones) == 39
    assert all(phone.isalpha() and phone.isupper() for phone in phones)


def test_entries(corpus):
    assert find(corpus, "'bout") == ["B AW T"]
    assert find(corpus, "tomato") == ["T AH M EY T OW", "T AH M AA T OW"]
    assert find(corpus, "a") is None  # one letter
    assert find(corpus, "a.m.") is None  # a character that is no letter


def test_equal_pronunciations_without_stress_count_once(corpus):
    # "address": AE1 D R EH2 S and AH0 D R EH1 S; "increase": IH2 N K R IY1 S
    # and IH1 N K R IY2 S differ in stress alone.
    assert find(corpus, "increase") == ["IH N K R IY S"]


def test_stress():
    corpus = cmudict(stress=True)
    assert len(corpus.test) == 12_563
    assert find(corpus, "increase") == ["IH2 N K R IY1 S", "IH1 N K R IY2 S"]
