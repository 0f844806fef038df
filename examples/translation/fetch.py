"""Fetches English-Italian pairs: the package descriptions of Debian.

    python examples/translation/fetch.py runs/debian

Needs Debian or a derivative of it, and root: `apt-get` reads the translated
descriptions (50 MB) into a folder of its own. The system's lists are not
touched. Writes train.en, train.it, dev.en, dev.it, test.en and test.it.

Hundreds of packages share one sentence ("This package contains the source for
the Rust crate ..."). Sentences that differ only in names and numbers have one
template. Each of the held-out templates is in one split only, with one
sentence.
"""

import argparse
import os
import pathlib
import random
import re
import subprocess

STANZA = re.compile(
    r"Description-md5: (\w+)\nDescription-\w+: (.*)\n((?: .*\n?)*)"
)
SENTENCE_END = re.compile(r"(?<=[.!?:])\s+(?=[^\W\d_a-zß-ÿ])")
HELD_OUT = 2_000
MOST_WORDS = 25, 30  # English, Italian


def fetch(folder, languages):
    """Let apt fetch the descriptions into a folder."""
    (folder / "partial").mkdir(parents=True, exist_ok=True)
    options = {
        "Dir::State::lists": folder.absolute(),
        "Acquire::Languages": ",".join(languages),
        "Acquire::GzipIndexes": "false",
    }
    options = [f"-o{name}={value}" for name, value in options.items()]
    subprocess.run(["apt-get", "-qq", "update", *options], check=True)


def read(folder, language):
    """Dict of checksum -> synopsis and long description of a package."""
    found = {}
    for path in folder.glob(f"*_main_i18n_Translation-{language}"):
        if "-security" in path.name or "-updates" in path.name:
            continue
        for stanza in path.read_text("utf-8").split("\n\n"):
            match = STANZA.search(stanza)
            if match:
                found[match[1]] = match[2], match[3]
    return found


def paragraphs(text):
    """Paragraphs of a description, without lists and code.

    A line with a single dot separates them; a line that begins with two
    spaces is verbatim.
    """
    finished, lines = [], []
    for line in [*text.split("\n"), " ."]:
        stripped = line.strip()
        if stripped == "." or line.startswith("  "):
            finished += [" ".join(lines)] * bool(lines)
            lines = []
        elif stripped:
            lines.append(stripped)
    return finished


def aligned(source, target):
    """Pairs of sentences, or of paragraphs with unequal counts of them."""
    pairs = [(source[0], target[0])]
    both = paragraphs(source[1]), paragraphs(target[1])
    if len(both[0]) != len(both[1]):
        return pairs
    for paragraph in zip(*both):
        sentences = [SENTENCE_END.split(text) for text in paragraph]
        same = len(sentences[0]) == len(sentences[1])
        pairs += zip(*sentences) if same else [paragraph]
    return pairs


def is_suitable(pair):
    words = [len(text.split()) for text in pair]
    return (
        pair[0] != pair[1]
        and 3 <= words[0] <= MOST_WORDS[0]
        and words[1] <= MOST_WORDS[1]
    )


def template(text):
    """A sentence with "#" for names and numbers."""
    return " ".join(
        word if re.fullmatch(r"[a-z]+[.,:;]?", word) else "#"
        for word in text.split()
    )


def split(pairs):
    """Dict of split -> pairs; no template is in two splits.

    Pairs with fewer than three plain words, mostly names, are left out.
    """
    groups = {}
    for pair in sorted(pairs):
        groups.setdefault(template(pair[0]), []).append(pair)
    plain = sorted(x for x in groups if len(x.replace("#", "").split()) > 2)
    random.Random(0).shuffle(plain)
    test, dev = plain[:HELD_OUT], plain[HELD_OUT : 2 * HELD_OUT]
    return {
        "train": [pair for x in plain[2 * HELD_OUT :] for pair in groups[x]],
        "dev": [groups[x][0] for x in dev],
        "test": [groups[x][0] for x in test],
    }


def write(folder, splits, languages):
    for name, pairs in splits.items():
        for language, texts in zip(languages, zip(*pairs)):
            path = folder / f"{name}.{language}"
            path.write_text("".join(f"{text}\n" for text in texts), "utf-8")
        print(f"{name}: {len(pairs):,} pairs")


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--target", default="it", help="default: it")
    options = parser.parse_args(arguments)
    languages = "en", options.target
    lists = options.folder / "lists"
    fetch(lists, languages)
    english, other = (read(lists, language) for language in languages)
    pairs = {
        pair
        for key in english.keys() & other.keys()
        for pair in aligned(english[key], other[key])
        if is_suitable(pair)
    }
    if not pairs:
        raise SystemExit(f"No pairs found in {os.fspath(lists)}.")
    write(options.folder, split(pairs), languages)


if __name__ == "__main__":
    main()
