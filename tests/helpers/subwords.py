"""A small tokenizer of subwords, strange texts, and byte pair encoding."""

import functools

import numpy as np

from keras_seq2seq.text import SubwordTokenizer

SENTENCES = [
    "The cat sat on the mat, and the rat sat on the cat.",
    "It's the cat's mat; who sat there? The rats (2 of them)!",
    "Un gatto sedeva sul tappeto, perché il topo non c'era più.",
    "Кошка сидела на коврике.",
    "猫がマットの上に座った。猫はいい。",
    "a\tb\nc  d   e",
]
SPACE = "\u2581"
ODD = [
    "",
    " ",
    "  ",
    "\0",
    "\n",
    "\u2581",
    "a\u2581b \u2581",
    " the  cat ",
    "the\u00a0cat\u3000sat\u200bon",
    "e\u0301 \u0301 \u0301x",
    "[pad] [start] [end] [unknown] <0x41> <s>",
    "\ufffd\ufffe\U0010ffff\U0001f600",
    "\u2585 a",
    "aaaaaaaaaaaaaaaa aaaaaaa",
    "x" * 255,
    "x" * 256,
    "the" * 300 + " the",
    " " * 300,
]


@functools.cache
def small_tokenizer():
    return SubwordTokenizer.from_texts(SENTENCES, vocabulary_size=380)


def random_texts(count):
    """Strings of few characters, of known ones, and of all planes."""
    generator = np.random.default_rng(0)
    known = sorted(set("".join(SENTENCES)))
    everywhere = [chr(x) for x in range(0x110000) if not 0xD800 <= x < 0xE000]
    pools = [list("ath e"), known, [*known, " ", SPACE, "\0"], everywhere]
    for place in range(count):
        pool = pools[place % len(pools)]
        picked = generator.integers(len(pool), size=generator.integers(40))
        yield "".join(pool[i] for i in picked) * int(generator.integers(1, 4))


def encoded_by_hand(tokenizer, text):
    """Ids by the definition: the pair learned first, the leftmost, is joined.

    A word is cut after 256 characters.
    """
    tokens = ("", "", "", "", *tokenizer.vocabulary.tokens)
    ids = {token: i for i, token in enumerate(tokens) if i >= 260}
    found = []
    for word in _words(SPACE + text.replace(" ", SPACE) if text else ""):
        symbols = list(word)
        while True:
            joined = [a + b for a, b in zip(symbols, symbols[1:])]
            known = [(ids[x], i) for i, x in enumerate(joined) if x in ids]
            if not known:
                break
            _, i = min(known)
            symbols[i : i + 2] = [joined[i]]
        for symbol in symbols:
            raw = [4 + byte for byte in symbol.encode()]
            found += [ids[symbol]] if symbol in ids else raw
    return found


def _words(text):
    word = ""
    for character in text:
        if word and (character == SPACE or len(word) == 256):
            yield word
            word = ""
        word += character
    yield word
