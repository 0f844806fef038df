"""What a SentencePiece model is, to Python and to the graph."""

import dataclasses
import functools
import re
import struct

from keras_seq2seq.text import subword_file as file
from keras_seq2seq.text.vocabulary import SPECIAL_TOKENS
from keras_seq2seq.text.vocabulary import Vocabulary

SPACE = "\u2581"  # stands for U+0020 in a piece
BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))
LONGEST_WORD = 256  # in code points, the space in front counted; it is cut
_LATER_SPACE = re.compile(f"[^{SPACE}]{SPACE}")


@dataclasses.dataclass(frozen=True)
class SubwordModel:
    """A model whose special pieces have the ids of every `Vocabulary`.

    The other pieces follow in their order, from id 4.

    Args:
        pieces: Tuple of `Piece`, as in the file.
        model_type: `"bpe"` or `"unigram"`.
        byte_fallback: Boolean. Whether an unknown character is its bytes.
        charsmap: Bytes of the table that normalizes, `b""` without one.
        fewer_spaces: Boolean. Whether of neighbouring spaces one is kept, and
            none at the ends of a text.
        special: Dict of index of a piece -> id, of the special ones.
    """

    pieces: tuple[file.Piece, ...]
    model_type: str
    byte_fallback: bool
    charsmap: bytes
    fewer_spaces: bool
    special: dict[int, int]

    @property
    def normalizes(self):
        """Whether a text may come back as another."""
        return bool(self.charsmap) or self.fewer_spaces

    @functools.cached_property
    def others(self):
        """Pieces from id 4 on."""
        numbered = enumerate(self.pieces)
        return [piece for i, piece in numbered if i not in self.special]

    @functools.cached_property
    def ids(self):
        """List of the id of each piece in the file."""
        free = iter(range(len(SPECIAL_TOKENS), len(self.pieces) + 4))
        return [
            self.special[i] if i in self.special else next(free)
            for i, _ in enumerate(self.pieces)
        ]

    @functools.cached_property
    def normal(self):
        """Dict of text -> id and score of the pieces that texts consist of."""
        return {
            piece.text: (index, piece.score)
            for index, piece in enumerate(self.others, len(SPECIAL_TOKENS))
            if piece.kind == file.NORMAL
        }

    @functools.cached_property
    def raw(self):
        """Dict of text -> UTF-8 of the pieces that are not what they read."""
        controls = [p.text for p in self.others if p.kind == file.CONTROL]
        return {**dict.fromkeys(controls, b""), **self.of_bytes}

    @functools.cached_property
    def of_bytes(self):
        """Dict of text -> byte of the pieces that are bytes."""
        if not self.byte_fallback:
            return {}
        return {piece: bytes([i]) for i, piece in enumerate(BYTES)}

    @functools.cached_property
    def byte_ids(self):
        """List of the 256 ids of bytes; empty without byte fallback."""
        found = {
            piece.text: index
            for index, piece in enumerate(self.others, len(SPECIAL_TOKENS))
            if piece.kind == file.BYTE
        }
        return [found[piece] for piece in BYTES if found]

    @functools.cached_property
    def joins_spaces(self):
        """Whether several spaces may be one piece, or begin one."""
        return any(SPACE * 2 in text for text in self.normal)


def read_model(model):
    """`SubwordModel` of the bytes of a file; an error unless we can read it."""
    pieces, trainer, normalizer, denormalizer = file.read_fields(model)
    problem = _settings_problem(trainer, normalizer) or _piece_problem(
        pieces, trainer
    )
    if denormalizer.get(file.CHARSMAP):
        problem = problem or "that changes texts after decoding"
    if problem:
        raise ValueError(
            "`model` must be a SentencePiece model of type BPE or unigram, "
            "that puts a space in front of a text, and whose pieces begin at "
            f"spaces and are not defined by a user. Received: one {problem}. "
            "Learn one with `SubwordTokenizer.from_texts`."
        )
    return SubwordModel(
        pieces=tuple(pieces),
        model_type=file.MODEL_TYPES[trainer.get(file.MODEL_TYPE, 1)],
        byte_fallback=bool(trainer.get(file.BYTE_FALLBACK, 0)),
        charsmap=normalizer.get(file.CHARSMAP, b""),
        fewer_spaces=bool(normalizer.get(file.FEWER_SPACES, 1)),
        special=_special(pieces, trainer),
    )


def _special(pieces, trainer):
    named = {
        trainer.get(file.PAD_PIECE, b"<pad>"): Vocabulary.pad_token_id,
        trainer.get(file.START_PIECE, b"<s>"): Vocabulary.start_token_id,
        trainer.get(file.END_PIECE, b"</s>"): Vocabulary.end_token_id,
    }
    special = {}
    for index, piece in enumerate(pieces):
        if piece.kind == file.UNKNOWN:
            special[index] = Vocabulary.unknown_token_id
        elif piece.kind == file.CONTROL and piece.text.encode() in named:
            special[index] = named[piece.text.encode()]
    return special


def _settings_problem(trainer, normalizer):
    """What is wrong with the settings of a model, or `None`."""
    if trainer.get(file.MODEL_TYPE, 1) not in file.MODEL_TYPES:
        return "of another type than BPE and unigram"
    if not normalizer.get(file.ESCAPE, 1):
        return "that does not escape spaces"
    if trainer.get(file.SUFFIX, 0) or not normalizer.get(file.DUMMY_PREFIX, 1):
        return "that puts no space in front of a text"
    return _charsmap_problem(
        normalizer.get(file.CHARSMAP, b""), normalizer.get(file.FEWER_SPACES, 1)
    )


def _charsmap_problem(charsmap, fewer_spaces):
    if not charsmap:
        return None
    if len(charsmap) < 8:
        return "with a damaged normalization"
    (size,) = struct.unpack("<I", charsmap[:4])
    if size % 4 or not 4 <= size <= len(charsmap) - 5 or charsmap[-1]:
        return "with a damaged normalization"
    if fewer_spaces and b"  " in charsmap[4 + size :]:
        return "whose normalization writes two spaces and removes them again"
    return None


def _piece_problem(pieces, trainer):
    """What is wrong with the pieces of a model, or `None`."""
    kinds = [piece.kind for piece in pieces]
    if not {*kinds} <= {file.NORMAL, file.UNKNOWN, file.CONTROL, file.BYTE}:
        return "with pieces that are defined by a user, or unused"
    if kinds.count(file.UNKNOWN) != 1:
        return "without one unknown piece"
    if len({piece.text for piece in pieces}) < len(pieces):
        return "with a piece that comes twice"
    of_bytes = {p.text for p in pieces if p.kind == file.BYTE}
    if of_bytes != ({*BYTES} if trainer.get(file.BYTE_FALLBACK, 0) else set()):
        return "with some of the 256 bytes"
    own = [piece for piece in pieces if piece.kind == file.NORMAL]
    texts = {piece.text for piece in own}
    if SPACE not in texts:
        return "without a piece for a space alone"
    if any(_LATER_SPACE.search(text) for text in texts):
        return "with a space inside of a piece"
    if file.MODEL_TYPES[trainer.get(file.MODEL_TYPE, 1)] == "bpe":
        return _merges_problem(own, texts)
    return None


def _merges_problem(own, texts):
    scores = [piece.score for piece in own]
    if any(not after < before for before, after in zip(scores, scores[1:])):
        return "whose pieces are not in the order of their merges"
    if not texts.issuperset("".join(texts)):
        return "whose pieces are no merges of its characters"
    return None
