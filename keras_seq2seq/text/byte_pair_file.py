"""Files of byte-level BPE: `tokenizer.json`, or `vocab.json` and `merges.txt`.

A token is written with one character for each byte: printable ones of Latin-1
stand for themselves, the others for 256 and up.
"""

import json

from keras_seq2seq.utils.files import check_path
from keras_seq2seq.utils.files import read_text

CURE = (
    "Give a `tokenizer.json` of byte-level BPE, as of GPT-2, RoBERTa and BART."
)


def _characters():
    """The character of each byte."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return tuple(
        chr(byte if byte in plain else next(others)) for byte in range(256)
    )


CHARACTERS = _characters()
BYTES = {character: byte for byte, character in enumerate(CHARACTERS)}
WRITTEN = dict(enumerate(CHARACTERS))


def to_bytes(token):
    """The bytes of a token, or `None` where it has another character."""
    if not BYTES.keys() >= {*token}:
        return None
    return bytes(BYTES[character] for character in token)


def to_characters(raw):
    """How bytes are written in a token."""
    return raw.decode("latin-1").translate(WRITTEN)


def read_tokenizer_json(path):
    """Tokens, merges, special tokens, and whether a space is put in front."""
    content = _json(path)
    if not isinstance(content, dict) or "model" not in content:
        raise _refused("a file without a model")
    problem = _problem(content)
    if problem:
        raise _refused(f"a tokenizer {problem}")
    model = content["model"]
    added = [x["content"] for x in content.get("added_tokens") or []]
    return {
        "tokens": _tokens(model.get("vocab")),
        "merges": [
            tuple(x.split(" ") if isinstance(x, str) else x)
            for x in model.get("merges", [])
        ],
        "special_tokens": added,
        "add_prefix_space": content["pre_tokenizer"].get(
            "add_prefix_space", True
        ),
    }


def read_vocabulary_and_merges(vocabulary, merges):
    """Tokens and merges of `vocab.json` and `merges.txt`."""
    lines = read_text(check_path(merges, "merges")).split("\n")
    if lines[0].startswith("#version"):
        lines = lines[1:]
    return {
        "tokens": _tokens(_json(vocabulary)),
        "merges": [tuple(line.split(" ")) for line in lines if line],
    }


def _json(path):
    try:
        return json.loads(read_text(check_path(path, "path")))
    except (ValueError, RecursionError) as error:
        raise _refused("a file that is not JSON") from error


def _tokens(vocabulary):
    """Tokens in the order of their ids."""
    is_dict = isinstance(vocabulary, dict) and vocabulary
    if not is_dict or not all(isinstance(x, int) for x in vocabulary.values()):
        raise _refused("a vocabulary that is no object of tokens and ids")
    return sorted(vocabulary, key=vocabulary.get)


def _problem(content):
    """What we cannot do as the package does, or `None`."""
    model, split = content["model"], content.get("pre_tokenizer") or {}
    added = content.get("added_tokens") or []
    if model.get("type", "BPE") != "BPE":
        return f"of type {model.get('type')}, not BPE"
    if split.get("type") != "ByteLevel" or not split.get("use_regex", True):
        return "that does not split as GPT-2 does (`ByteLevel`)"
    if content.get("normalizer"):
        return "that normalizes"
    for name in (
        "dropout",
        "continuing_subword_prefix",
        "end_of_word_suffix",
        "byte_fallback",
        "ignore_merges",
    ):
        if model.get(name):
            return f"with `{name}`"
    if not all(token.get("special") for token in added):
        return "with added tokens that are not special"
    return None


def _refused(what):
    return ValueError(
        "The file must hold a byte-level BPE tokenizer of the package "
        f"tokenizers. Received: {what}. {CURE}"
    )
