"""The REST client against servers that are none, or mean no good."""

import itertools
import json

import pytest

from keras_seq2seq.export import client as client_module
from keras_seq2seq.export.client import BadAnswer
from keras_seq2seq.export.client import Client
from keras_seq2seq.export.client import ServingError
from keras_seq2seq.export.client import TimedOut
from keras_seq2seq.export.client import Unavailable
from tests.helpers.export.raw_server import answer
from tests.helpers.export.raw_server import dripped
from tests.helpers.export.raw_server import raw_server

GOOD = json.dumps({"outputs": {"text": ["A"], "score": [-1.0]}}).encode()
HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
GOOD_CHUNKS = b"".join(b"1\r\n%c\r\n" % byte for byte in GOOD) + b"0\r\n\r\n"


@pytest.fixture(autouse=True)
def here(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(client_module.retries, "PAUSE", 0.001)


@pytest.mark.parametrize(
    "pieces",
    [
        [answer(GOOD)],
        [CHUNKED, GOOD_CHUNKS],
        [HEAD + b"\r\n" + GOOD],  # ends where the connection ends
        [b"HTTP/1.1 100 Continue\r\n\r\n", answer(GOOD)],
        dripped(answer(GOOD), 0.0001),
    ],
    ids=["whole", "chunks", "no length", "continue", "dripped"],
)
def test_good_answers(pieces):
    with raw_server(list(pieces)) as (url, paths):
        assert Client(url).generate(["a"]) == ["A"]
    assert paths == ["/v1/models/model:predict", "/v1/models/model/metadata"]


DRIPS = {  # each would be a good answer, some seconds later
    "status": dripped(answer(GOOD)),
    "header": [HEAD + b"X: ", *dripped(b"x" * 50), b"\r\n\r\n" + GOOD],
    "body": [answer(GOOD)[: -len(GOOD)], *dripped(GOOD)],
    "no length": [HEAD + b"\r\n", *dripped(GOOD)],
    "chunks": [CHUNKED, *dripped(GOOD_CHUNKS)],
    "silence": [5.0, answer(GOOD)],
    "continue": [b"HTTP/1.1 100 Continue\r\n\r\n", 0.1] * 50 + [answer(GOOD)],
}


@pytest.mark.parametrize("pieces", DRIPS.values(), ids=DRIPS)
def test_the_deadline_is_for_all_reads(pieces):
    with raw_server(pieces) as (url, _):
        with pytest.raises(TimedOut, match="within 0.2 seconds"):
            Client(url, timeout=0.2).generate(["a"])


def test_the_deadline_is_for_the_handshake():
    with raw_server([answer(GOOD)]) as (url, _):
        with pytest.raises(TimedOut):
            Client(url.replace("http", "https"), timeout=0.2).generate(["a"])


def test_the_deadline_is_for_what_is_sent():
    with raw_server([answer(GOOD)]) as (url, _):
        with pytest.raises(TimedOut):
            Client(url, timeout=1e-9).generate(["a"])


def test_a_refusal_need_not_be_read_to_its_end():
    head = answer(b"x" * 60, "500 Internal Server Error")[:-60]
    with raw_server([head, *dripped(b"x" * 60)]) as (url, _):
        with pytest.raises(ServingError, match="refused the request: 500"):
            Client(url, timeout=1.0).generate(["a"])


LARGE = {
    "announced": [HEAD + b"Content-Length: 1000000000\r\n\r\n"],
    "whole": [answer(GOOD + b" " * 1000)],
    "no length": itertools.chain([HEAD + b"\r\n"], itertools.repeat(b" " * 99)),
    "endless chunks": itertools.chain(
        [CHUNKED], itertools.repeat(b"64\r\n" + b" " * 100 + b"\r\n")
    ),
}


@pytest.mark.parametrize("pieces", LARGE.values(), ids=LARGE)
def test_no_answer_is_larger_than_the_limit(pieces):
    with raw_server(pieces) as (url, _):
        with pytest.raises(BadAnswer, match="at most 1000 bytes"):
            Client(url, max_answer_bytes=1000).generate(["a"])


def test_an_answer_of_the_limit_is_read():
    with raw_server([answer(GOOD)]) as (url, _):
        assert Client(url, max_answer_bytes=len(GOOD)).generate(["a"]) == ["A"]
        with pytest.raises(BadAnswer, match="larger"):
            Client(url, max_answer_bytes=len(GOOD) - 1).generate(["a"])


def outputs(**values):
    return json.dumps({"outputs": values}).encode()


def nested(depth):
    return b'{"outputs": {"text": ' + b"[" * depth + b"]" * depth + b"}}"


BODIES = [
    *(b"", b"{", b"[]", b"null", b"\xff\xfe\x00", GOOD.replace(b"A", b"\xff")),
    *(b'{"outputs": 1}', b'{"outputs": {}}', b'{"outputs": {"text": "A"}}'),
    *(b"[" * 100_000, b'{"a":' * 100_000, nested(40), nested(900)),
    *(outputs(text=x) for x in ([1], [None], [True], ["A", 1], [], [["A"]])),
    *(outputs(text=x) for x in (["A", "B"], ["A", ["B"]], [[["A"]], [["B"]]])),
    *(outputs(text=[x]) for x in ({}, {"b64": "?"}, {"b64": 1}, {"a": "QQ=="})),
    *(outputs(text=["A"], score=x) for x in ([], [[1], [1, 2]], [1.0, True])),
    *(outputs(text=["A"], score=[x]) for x in (10**400, 2**70, {"a": 1})),
    *(outputs(score=[1.0]), outputs(text=["A"], lengths=[1], target_lengths=1)),
]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: repr(body[:40]))
def test_answers_of_another_form_are_one_kind_of_error(body):
    with raw_server([answer(body)]) as (url, _):
        with pytest.raises(BadAnswer, match="Received"):
            Client(url).generate(["a"])


def test_text_is_always_text():
    body = rb'{"outputs": {"text": ["a\ud800", {"b64": "/0E="}]}}'
    with raw_server([answer(body)]) as (url, _):
        assert Client(url).generate(["a", "b"]) == ["a\ufffd", "\ufffdA"]


def signature(**changes):
    info = {"dtype": "DT_STRING", "tensor_shape": {"dim": [{"size": "-1"}]}}
    sides = {"inputs": {"text": info}, "outputs": {"text": {**info, **changes}}}
    served = {"signature_def": {"serving_default": sides}}
    return {"metadata": {"signature_def": served}}


STRANGE = [
    *({}, [], 1, {"metadata": []}, {"metadata": {"signature_def": None}}),
    *(signature(tensor_shape=x) for x in (None, [], {"dim": 1}, {"dim": [1]})),
    signature(tensor_shape={"dim": [{"size": "x"}]}),
    signature(tensor_shape={"dim": [{"size": 1e999}]}),
]


@pytest.mark.parametrize("found", STRANGE)
def test_metadata_and_status_of_another_form(found):
    body = json.dumps(found).encode()
    with raw_server([answer(GOOD)], [answer(body)]) as (url, _):
        client = Client(url)
        with pytest.raises(BadAnswer, match="metadata of another form"):
            client.signatures()
        with pytest.raises(BadAnswer, match="a status of another form"):
            client.status()
        assert client.generate(["a"]) == ["A"]  # types are not known then


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(status):
    there = "Location: http://[/elsewhere"
    with raw_server([answer(b"", f"{status} Moved", there)]) as (url, paths):
        with pytest.raises(BadAnswer, match="a redirect to .*elsewhere"):
            Client(url).generate(["a"])
    assert len(paths) == 1


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 abc\r\n\r\n"),
        HEAD + b"X: " + b"x" * 100_000 + b"\r\n\r\n",
        HEAD + b"X: x\r\n" * 1000 + b"\r\n",
        answer(GOOD)[:-5],  # cut
        CHUNKED + GOOD_CHUNKS[:-9],  # cut
        CHUNKED + b"-1\r\n" + GOOD,
    ],
    ids=lambda data: repr(data[-20:]),
)
def test_what_is_no_http_is_no_server(data):
    with raw_server([data]) as (url, paths):
        with pytest.raises(Unavailable, match="is this its REST port"):
            Client(url, retries=1).generate(["a"])
    assert len(paths) == 2


def test_compressed_answers_are_not_asked_for():
    import gzip

    packed = answer(gzip.compress(GOOD), "200 OK", "Content-Encoding: gzip")
    with raw_server([packed]) as (url, _):
        with pytest.raises(BadAnswer, match="no JSON"):
            Client(url).generate(["a"])
