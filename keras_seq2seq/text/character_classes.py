"""Classes of characters in the pattern by which GPT-2 splits a text.

They are those of the package tokenizers 0.23, whose Unicode tables are neither
Python's nor those of other versions. `python -m
keras_seq2seq.text.character_classes` asks the package for each code point and
writes the table, by which Python and the graph split, so that ids depend on no
version.
"""

import functools
import itertools
import pathlib
import re
import sys

TABLE = pathlib.Path(__file__).with_suffix(".tsv")
SPACE, LETTER, NUMBER, OTHER = range(4)


@functools.cache
def class_ranges():
    """First code points of the ranges of one class, and the classes."""
    rows = TABLE.read_text("ascii").split()
    return [*map(int, rows[::2])], [*map(int, rows[1::2])]


@functools.cache
def word_pattern():
    """The pattern of GPT-2, with these classes."""
    firsts, kinds = class_ranges()
    lasts = [first - 1 for first in firsts[1:]] + [sys.maxunicode]
    within = {kind: "" for kind in (SPACE, LETTER, NUMBER, OTHER)}
    for first, last, kind in zip(firsts, lasts, kinds):
        within[kind] += f"\\U{first:08x}-\\U{last:08x}"
    runs = "|".join(f" ?[{within[x]}]+" for x in (LETTER, NUMBER, OTHER))
    space = within[SPACE]
    return re.compile(
        f"'s|'t|'re|'ve|'m|'ll|'d|{runs}|[{space}]+(?![^{space}])|[{space}]+"
    )


def probe_class(split, character):
    """The class of a character by how the package splits two of them.

    Args:
        split: Function of a string to the list of its words.
        character: String.
    """
    for beside, kind in (("a", LETTER), ("1", NUMBER), ("!", OTHER)):
        if len(split(beside + character)) == 1:
            return kind
    return SPACE


def splitter():
    """Function of a string to its words, by the package."""
    from tokenizers.pre_tokenizers import ByteLevel

    words = ByteLevel(add_prefix_space=False).pre_tokenize_str
    return lambda text: words(text)


def main():
    """Write the table."""
    split = splitter()
    points = [x for x in range(sys.maxunicode + 1) if not 0xD800 <= x < 0xE000]
    rows = []
    for kind, run in itertools.groupby(
        points, lambda x: probe_class(split, chr(x))
    ):
        rows.append(f"{next(run)}\t{kind}\n")
    TABLE.write_text("".join(rows), "ascii")


if __name__ == "__main__":
    main()
