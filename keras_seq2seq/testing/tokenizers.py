import tempfile

import numpy as np

from keras_seq2seq.testing.checks import check
from keras_seq2seq.testing.serialization import run_serialization_test
from keras_seq2seq.text import Tokenizer
from keras_seq2seq.text import to_utf8
from keras_seq2seq.utils.checks import check_texts
from keras_seq2seq.utils.checks import check_type

TEXTS = (
    "",
    "a b",
    "Ab  c.",
    " \t\n\v\f\r",
    "[pad] [start] [end] [unknown]",
    "\0\x1f\x85\xa0\u2028\u3000\ufeff",
    "e\u0301 \xe9 \u0130\u1e9e\u03a3\u03c2",
    "\U0001f600\ufffd\ud800",
)


def run_tokenizer_test(tokenizer, texts=None):
    """Check the contract of a `Tokenizer`, in Python and as a graph.

    Ids are those of the tokens, and text gives no special one but that of
    unknown tokens; decoding stops at the end token, skips padding and start,
    and gives a text that encodes to the same ids; spans are one a token,
    inside the text; `encode_beginning` is a beginning; the TensorFlow graph,
    where there is TensorFlow and the tokenizer has one, gives what Python
    gives; serialization.

    Args:
        tokenizer: `Tokenizer`.
        texts: List of strings. Defaults to `None`: short ones, odd ones among
            them, and the tokens of the vocabulary.

    Example:

    >>> tokenizer = k2s.text.SymbolTokenizer.from_texts(["K EH R AH S"])
    >>> k2s.testing.run_tokenizer_test(tokenizer)
    """
    check_type(tokenizer, "tokenizer", Tokenizer)
    if texts is None:
        texts = [*TEXTS, *tokenizer.vocabulary.tokens[:30]]
    texts = check_texts(texts, "texts")
    again = run_serialization_test(tokenizer)
    for text in texts:
        _check_encode(tokenizer, text)
        _check_round_trip(tokenizer, text)
        _check_spans(tokenizer, text)
        check(
            again.encode(text) == tokenizer.encode(text),
            f"The config makes other ids of {text!r}.",
        )
    check(
        tokenizer.encode_batch(texts) == [*map(tokenizer.encode, texts)],
        "`encode_batch` gives other ids than `encode`.",
    )
    _check_decode(tokenizer, texts)
    _check_graph(tokenizer, texts)


def _check_encode(tokenizer, text):
    tokens, ids = tokenizer.tokenize(text), tokenizer.encode(text)
    vocabulary = tokenizer.vocabulary
    unknown = vocabulary.unknown_token_id
    expected = [
        vocabulary.token_to_id(t) if t in vocabulary.tokens else unknown
        for t in tokens
    ]
    check(
        ids == expected,
        f"Special ids, or not those of the tokens: {text!r} gives {ids}, and "
        f"its tokens {tokens} have {expected}.",
    )
    beginning = tokenizer.encode_beginning(text)
    check(
        beginning == ids[: len(beginning)],
        f"`encode_beginning` of {text!r} gives {beginning}, no beginning of "
        f"{ids}.",
    )


def _check_round_trip(tokenizer, text):
    ids = tokenizer.encode(text)
    if tokenizer.vocabulary.unknown_token_id in ids:
        return
    decoded = tokenizer.decode(ids)
    again = tokenizer.encode(decoded)
    check(
        again == ids,
        f"Decoding is no way back: {text!r} gives {ids}, which read "
        f"{decoded!r}, which gives {again}.",
    )


def _check_spans(tokenizer, text):
    spans = tokenizer.spans(text)
    if spans is None:
        return
    count = len(tokenizer.tokenize(text))
    check(
        len(spans) == count,
        f"{len(spans)} spans for {count} tokens of {text!r}.",
    )
    for span in spans:
        inside = span is None or 0 <= span[0] < span[1] <= len(text)
        check(inside, f"A span outside of {text!r}: {span}.")


def _check_decode(tokenizer, texts):
    vocabulary = tokenizer.vocabulary
    pad, start = vocabulary.pad_token_id, vocabulary.start_token_id
    end, unknown = vocabulary.end_token_id, vocabulary.unknown_token_id
    ids = max(map(tokenizer.encode, texts), key=len)
    text = tokenizer.decode(ids)
    around = [start, *ids[:1], pad, *ids[1:], end, *ids, unknown]
    for given in (around, np.array(around, "int32")):
        check(
            tokenizer.decode(given) == text,
            "Decoding does not stop at the end token, or reads padding or "
            f"the start token: {around} is not {text!r}.",
        )
    for outside in (-1, len(vocabulary)):
        check(
            tokenizer.decode([outside]) == tokenizer.decode([unknown]),
            "An id outside of the vocabulary does not read as unknown.",
        )


def _check_graph(tokenizer, texts):
    """The graph equals Python."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            graph = tokenizer.graph(folder)
        except NotImplementedError:
            return
        except ImportError as error:
            if (error.name or "").split(".")[0] != "tensorflow":
                raise
            return
        _check_batch(tokenizer, graph, texts)
        _check_batch(tokenizer, graph, [""])  # no character at all


def _check_batch(tokenizer, graph, texts):
    bytes_ = [to_utf8(text) for text in texts]
    _check_graph_encode(tokenizer, graph, texts, bytes_)
    tokens = [list(map(to_utf8, tokenizer.tokenize(t))) for t in texts]
    _check_ragged(graph.tokenize(bytes_), tokens, "tokenize")
    spans = list(map(tokenizer.spans, texts))
    if None not in spans:
        written = [
            [to_utf8(text[slice(*span)]) if span else b"" for span in own]
            for text, own in zip(texts, spans)
        ]
        _check_ragged(graph.written(bytes_), written, "written")


def _check_graph_encode(tokenizer, graph, texts, bytes_):
    expected = [tokenizer.encode(text) for text in texts]
    ids, lengths = map(np.asarray, graph.encode(bytes_))
    for text, row, length, own in zip(texts, ids, lengths, expected):
        check(
            row[:length].tolist() == own and not np.any(row[length:]),
            f"The graph is not equal to Python: `encode` of {text!r} gives "
            f"{row[:length].tolist()}, not {own}.",
        )
    for row, text in zip(ids, np.asarray(graph.decode(ids))):
        own = to_utf8(tokenizer.decode(row))
        check(
            text == own,
            "The graph is not equal to Python: `decode` of "
            f"{row.tolist()} gives {text!r}, not {own!r}.",
        )


def _check_ragged(found, expected, what):
    for row, own in zip(np.asarray(found).tolist(), expected):
        check(
            row == own + [b""] * (len(row) - len(own)),
            f"The graph is not equal to Python: `{what}` gives {row}, not "
            f"{own}.",
        )
