"""The package sentencepiece: subwords learned, and read."""

import io
import itertools
import random
import re

from keras_seq2seq.text.subword_file import MODEL_TYPES
from keras_seq2seq.text.subword_file import damaged
from keras_seq2seq.text.subword_model import BYTES
from keras_seq2seq.text.subword_model import SPACE
from keras_seq2seq.text.utf8 import check_text
from keras_seq2seq.text.utf8 import replace_surrogates
from keras_seq2seq.text.vocabulary import SPECIAL_TOKENS
from keras_seq2seq.utils.caller import warn_caller
from keras_seq2seq.utils.checks import check_choice
from keras_seq2seq.utils.checks import check_integer

NORMALIZATIONS = ("identity", "nfkc", "nfkc_cf", "nmt_nfkc", "nmt_nfkc_cf")
FIRST_PIECE = len(SPECIAL_TOKENS) + len(BYTES)
UNIGRAM_VERSION = (0, 2, 3)  # before it, ties went otherwise
MOST_TEXTS = 500_000
LONGEST_TEXT = 2**30  # bytes; sentencepiece takes no more
# Texts with these would be left out: NUL, and the mark of an unknown piece.
_BLANKS = re.compile(f"[\0\u2585{SPACE}]")
# "Vocabulary size is smaller than required_chars. 300 vs 312."
_TOO_FEW = re.compile(r"required_chars\. \d+ vs (\d+)")


def sentencepiece():
    """The package; an error that says how to install it."""
    try:
        import sentencepiece
    except ImportError as error:
        raise ImportError(
            "Subwords need the package sentencepiece. Received: "
            f"{error}. pip install 'keras-seq2seq[subwords]'"
        ) from error
    return sentencepiece


def processor(model):
    """`SentencePieceProcessor` of the bytes of a model."""
    try:
        return sentencepiece().SentencePieceProcessor(model_proto=model)
    except (RuntimeError, SystemError) as error:
        raise damaged(model) from error


def check_version(model_type):
    """Raise where the package gives a unigram model other ids."""
    if model_type != "unigram":
        return
    version = sentencepiece().__version__
    numbers = tuple(int(x) for x in re.findall(r"\d+", version)[:3])
    if numbers < UNIGRAM_VERSION:
        raise ImportError(
            "Unigram models need sentencepiece 0.2.3 or newer, since older "
            f"ones give other ids. Received: version {version}. "
            "pip install --upgrade 'sentencepiece>=0.2.3'"
        )


def train(
    texts, vocabulary_size, *, model_type="bpe", normalization="identity"
):
    """Bytes of a model.

    Args:
        texts: Iterable of strings. Of more than half a million, a sample is
            learned from.
        vocabulary_size: Integer, at most so many, the special ones counted.
        model_type: `"bpe"` or `"unigram"`.
        normalization: Name of a rule of SentencePiece.
    """
    vocabulary_size = check_integer(
        vocabulary_size, "vocabulary_size", FIRST_PIECE + 1
    )
    check_choice(model_type, "model_type", MODEL_TYPES.values())
    check_choice(normalization, "normalization", NORMALIZATIONS)
    check_version(model_type)
    trainer, file = sentencepiece().SentencePieceTrainer, io.BytesIO()
    texts, problems = _sample(texts), []
    try:
        trainer.train(
            sentence_iterator=_lines(texts, problems),
            model_writer=file,
            vocab_size=vocabulary_size,
            model_type=model_type,
            normalization_rule_name=normalization,
            remove_extra_whitespaces=normalization != "identity",
            **_settings(),
        )
    except (RuntimeError, SystemError) as error:
        for problem in problems:  # the trainer has made a text of it
            raise problem
        raise ValueError(_reason(str(error), vocabulary_size)) from error
    return file.getvalue()


def warn_of_fewer(count, vocabulary_size):
    """Warn where texts gave fewer pieces than were asked for."""
    if count < vocabulary_size:
        warn_caller(
            f"`vocabulary_size` should be what the texts can give, {count} "
            "pieces, since every word is a piece of its own then. Received: "
            f"vocabulary_size={vocabulary_size}. Ask for fewer, so that words "
            "share their pieces, or bring more texts."
        )


def _sample(texts):
    """At most `MOST_TEXTS` texts, each with the same probability.

    Reservoir sampling; the sample of equal texts is the same each time.
    """
    texts, draw = iter(texts), random.Random(0).randrange
    sample = [*itertools.islice(texts, MOST_TEXTS)]
    for number, text in enumerate(texts, MOST_TEXTS + 1):
        place = draw(number)
        if place < MOST_TEXTS:
            sample[place] = text
    return sample


def _settings():
    special = dict(zip(("pad", "bos", "eos", "unk"), SPECIAL_TOKENS))
    return {
        **{f"{name}_id": i for i, name in enumerate(special)},
        **{f"{name}_piece": token for name, token in special.items()},
        "byte_fallback": True,
        "hard_vocab_limit": False,
        "max_sentence_length": LONGEST_TEXT,
        "minloglevel": 2,  # errors, which are raised anyhow
    }


def _lines(texts, problems):
    try:
        for text in texts:
            check_text(text, "texts")
            yield _BLANKS.sub(" ", replace_surrogates(text))
    except BaseException as problem:
        problems.append(problem)
        raise


def _reason(message, vocabulary_size):
    """What an error of the trainer means."""
    found = _TOO_FEW.search(message)
    if found:
        return (
            "`vocabulary_size` must leave room for the characters of the texts "
            f"and 256 bytes, at least {found[1]}. Received: vocabulary_size="
            f"{vocabulary_size}. Raise it."
        )
    if "sentences_.empty()" in message:
        return (
            "`texts` must hold at least one text that is not empty, to learn "
            "subwords from. Received: none."
        )
    return f"SentencePiece could not learn from `texts`. Received: {message}"
