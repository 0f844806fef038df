"""The tasks of `cells.py`: what to learn from, and what to be tested with.

`arithmetic` gives pairs, the others texts of one length. All are the same on
every run, `code` as long as Python's standard library is the same.
"""

import hashlib
import itertools
import pathlib
import random
import string
import sysconfig

import keras_seq2seq as k2s


def problems(count, digits, seed, *, known=()):
    """Pairs of source and target; no sum is among `known`."""
    rng, pairs, known = random.Random(seed), [], set(map(plain, known))
    while len(pairs) < count:
        a, b = (rng.randrange(10 ** rng.randint(1, digits)) for _ in range(2))
        sign = rng.choice("+-")
        question = f"{a}{sign}{b}"
        if question in known:
            continue
        noisy = "".join(
            char + "".join(rng.choices(string.ascii_lowercase, k=extra))
            for char in question
            for extra in [rng.randint(0, 1)]
        )
        pairs.append((f"{noisy}=", str(a + b if sign == "+" else a - b)))
    return pairs


def plain(pair):
    """The sum without letters."""
    return "".join(char for char in pair[0] if char in "0123456789+-")


def documents(seed):
    """Documents of nested tags, without end.

    At each step, with probability 0.5 and always after 50 steps, the last open
    tag is closed, or the document ends if none is open; otherwise a tag of 2
    to 10 random letters is opened.
    """
    rng = random.Random(seed)
    while True:
        document, tags = "", []
        for step in itertools.count():
            if step < 50 and rng.random() < 0.5:
                length = rng.randint(2, 10)
                tags += ["".join(rng.choices(string.ascii_lowercase, k=length))]
                document += f"<{tags[-1]}>"
            elif tags:
                document += f"</{tags.pop()}>"
            else:
                break
        yield document


def lines_of_code(held_out):
    """Lines of the standard library's modules, a tenth of them held out."""
    folder = pathlib.Path(sysconfig.get_path("stdlib"))
    for path in sorted(folder.glob("*.py")):
        number = hashlib.sha1(path.name.encode()).digest()[0]
        if (number < 26) == held_out:  # of 256
            lines = path.read_text(encoding="utf8").splitlines(keepends=True)
            yield from filter(str.isascii, lines)


def windows(pieces, length):
    """Texts of `length` characters, each from where a piece begins."""
    text = ""
    for piece in pieces:
        text += piece
        if len(text) >= length:
            yield text[:length]
            text = ""


def shuffled(items):
    items = list(items)
    random.Random(1).shuffle(items)
    return items


def arithmetic(train, test, digits=3, length=None):
    known = problems(5 * train, digits, 1)  # shorter than the other texts
    return known, problems(test, digits, 2, known=known)


def xml(train, test, length):
    return [
        list(itertools.islice(windows(documents(seed), length), count))
        for seed, count in ((1, train), (2, test))
    ]


def code(train, test, length):
    return [
        shuffled(windows(lines_of_code(held_out), length))[:count]
        for held_out, count in ((False, train), (True, test))
    ]


def letters(train, test, length):
    corpus = k2s.data.cmudict()
    return [
        list(windows(shuffled(f"{word} " for word, _ in part), length))[:count]
        for part, count in ((corpus.train, train), (corpus.test, test))
    ]


TASKS = {f.__name__: f for f in (arithmetic, xml, code, letters)}
