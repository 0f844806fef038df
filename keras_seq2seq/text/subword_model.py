"""The model file of SentencePiece: what is in it, and what we can read.

It is a message of protobuf, of which a few fields are read here: protobuf
itself is nothing that sentencepiece needs.
"""

import dataclasses
import struct

from keras_seq2seq.text.vocabulary import SPECIAL_TOKENS

SPACE = "\u2581"  # stands for U+0020 in a piece
BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))
FIRST_PIECE = len(SPECIAL_TOKENS) + len(BYTES)
# Numbers of fields: of the model, of a piece, of trainer and normalizer.
PIECES, TRAINER, NORMALIZER = 1, 2, 3
TEXT, SCORE, KIND = 1, 2, 3
MODEL_TYPE, SUFFIX, BYTE_FALLBACK = 3, 24, 35
CHARSMAP, DUMMY_PREFIX, FEWER_SPACES, ESCAPE = 2, 3, 4, 5
NORMAL, BYTE, BPE = 1, 6, 2  # kinds of a piece, a type of model
# Added to a file, sets the dummy prefix to false: of a field that comes twice
# the last one counts.
WITHOUT_PREFIX = b"\x1a\x02\x18\x00"
LONGEST_WORD = 256  # in code points, the space in front counted; it is cut


# What bytes that are no model, or not a whole one, give rise to.
DAMAGES = (
    AttributeError,
    IndexError,
    KeyError,
    TypeError,
    ValueError,
    struct.error,
)


@dataclasses.dataclass(frozen=True)
class Piece:
    """A piece of a model: its text, score, and kind."""

    text: str
    score: float
    kind: int


def read_pieces(model):
    """List of the texts of all pieces; an error unless we can read the model.

    Args:
        model: Bytes of the file.
    """
    try:
        pieces, trainer, normalizer = _contents(model)
    except DAMAGES as error:
        raise damaged(model) from error
    problem = _settings_problem(trainer, normalizer) or _piece_problem(pieces)
    if problem:
        raise ValueError(
            "`model` must be a SentencePiece model as "
            "`SubwordTokenizer.from_texts` trains it: BPE, identity "
            "normalization, byte fallback, no space removed, and the special "
            f"tokens of every vocabulary. Received: one {problem}. Learn one "
            "with `SubwordTokenizer.from_texts`."
        )
    return [piece.text for piece in pieces]


def damaged(model):
    """The error of a file that cannot be read."""
    return ValueError(
        "`model` must hold the bytes of a SentencePiece model. Received: "
        f"{len(model)} bytes that cannot be read as one. The file is damaged, "
        "or another's: copy it again, or learn one with "
        "`SubwordTokenizer.from_texts`."
    )


def _contents(model):
    """List of pieces, and dicts of the fields of trainer and normalizer."""
    pieces, trainer, normalizer = [], {}, {}
    for number, value in _fields(model):
        if number == PIECES:
            pieces.append(_piece(dict(_fields(value))))
        elif number == TRAINER:
            trainer.update(_fields(value))
        elif number == NORMALIZER:
            normalizer.update(_fields(value))
    if not pieces:
        raise ValueError("no pieces")
    return pieces, trainer, normalizer


def _piece(fields):
    (score,) = struct.unpack("<f", fields.get(SCORE, bytes(4)))
    return Piece(fields[TEXT].decode("utf-8"), score, fields.get(KIND, NORMAL))


def _fields(message):
    """Pairs of number and value: an integer, or bytes."""
    place = 0
    while place < len(message):
        tag, place = _varint(message, place)
        number, kind = tag >> 3, tag & 7
        if kind == 0:
            value, place = _varint(message, place)
            yield number, value
            continue
        size = {1: 8, 5: 4}.get(kind)
        if kind == 2:
            size, place = _varint(message, place)
        if size is None or place + size > len(message):
            raise ValueError("cut, or no message")
        yield number, message[place : place + size]
        place += size


def _varint(message, place):
    """An integer of seven bits a byte, the lowest first; where it ends."""
    value, shift = 0, 0
    while True:
        byte = message[place]
        value |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return value, place
        if shift > 63:
            raise ValueError("no integer")


def _settings_problem(trainer, normalizer):
    """What is wrong with the settings of a model, or `None`."""
    if trainer.get(MODEL_TYPE, 1) != BPE:
        return "of another type than BPE"
    if not trainer.get(BYTE_FALLBACK, 0):
        return "without byte fallback"
    if normalizer.get(CHARSMAP, b""):
        return "that normalizes"
    if normalizer.get(FEWER_SPACES, 1) or not normalizer.get(ESCAPE, 1):
        return "that changes spaces"
    if trainer.get(SUFFIX, 0) or not normalizer.get(DUMMY_PREFIX, 1):
        return "that puts no space in front of a text"
    return None


def _piece_problem(pieces):
    """What is wrong with the pieces of a model, or `None`."""
    texts = [piece.text for piece in pieces]
    if tuple(texts[:FIRST_PIECE]) != SPECIAL_TOKENS + BYTES:
        return (
            f"whose first pieces are not {', '.join(SPECIAL_TOKENS)} and the "
            "256 bytes"
        )
    kinds = [piece.kind for piece in pieces[len(SPECIAL_TOKENS) :]]
    own = texts[FIRST_PIECE:]
    if kinds != [BYTE] * len(BYTES) + [NORMAL] * len(own):
        return "with pieces that are defined by a user, or unused"
    scores = [piece.score for piece in pieces[FIRST_PIECE:]]
    if any(not after < before for before, after in zip(scores, scores[1:])):
        return "whose pieces are not in the order of their merges"
    known = set(own)
    if len(known) < len(own) or not known.issuperset(SPACE.join(own)):
        return "whose pieces are no merges of its characters"
    if any(SPACE in text[1:] for text in own):
        return "with a space inside of a piece"
    return None
