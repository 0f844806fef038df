"""The fields of a model file of SentencePiece.

It is a message of protobuf, of which a few fields are read here: protobuf
itself is nothing that sentencepiece needs.
"""

import dataclasses
import struct

# Numbers of fields: of the model, of a piece, of trainer and normalizer.
PIECES, TRAINER, NORMALIZER, DENORMALIZER = 1, 2, 3, 5
TEXT, SCORE, KIND = 1, 2, 3
MODEL_TYPE, SUFFIX, BYTE_FALLBACK = 3, 24, 35
START_PIECE, END_PIECE, PAD_PIECE = 46, 47, 48
CHARSMAP, DUMMY_PREFIX, FEWER_SPACES, ESCAPE = 2, 3, 4, 5
NORMAL, UNKNOWN, CONTROL, BYTE = 1, 2, 3, 6  # kinds of a piece
MODEL_TYPES = {1: "unigram", 2: "bpe"}
# Added to a file, takes all normalization away: of a field that comes twice
# the last one counts.
WITHOUT_NORMALIZATION = b"\x1a\x06\x12\x00\x18\x00\x20\x00"

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


def read_fields(model):
    """List of pieces; dicts of the fields of trainer and both normalizers."""
    pieces, settings = [], {TRAINER: {}, NORMALIZER: {}, DENORMALIZER: {}}
    try:
        for number, value in _fields(model):
            if number == PIECES:
                pieces.append(_piece(dict(_fields(value))))
            elif number in settings:
                settings[number].update(_fields(value))
    except DAMAGES as error:
        raise damaged(model) from error
    if not pieces:
        raise damaged(model)
    return pieces, *settings.values()


def damaged(model):
    """The error of a file that cannot be read."""
    return ValueError(
        "`model` must hold the bytes of a SentencePiece model. Received: "
        f"{len(model)} bytes that cannot be read as one. The file is damaged, "
        "or another's: copy it again, or learn one with "
        "`SubwordTokenizer.from_texts`."
    )


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
