"""The client against a fake server that answers with a real export."""

import contextlib
import socket

import keras
import numpy as np
import pytest

from keras_seq2seq.export import client as client_module
from keras_seq2seq.export.client import BadRequest
from keras_seq2seq.export.client import Client
from keras_seq2seq.export.client import PartialFailure
from keras_seq2seq.export.client import ServingError
from keras_seq2seq.export.client import TimedOut
from keras_seq2seq.export.client import Unavailable

pytest.importorskip("tensorflow")
pytest.importorskip("tensorflow_serving")
if keras.backend.backend() != "tensorflow":
    pytest.skip("exports under TensorFlow", allow_module_level=True)

from tests.export.fake_server import FakeModel  # noqa: E402
from tests.export.fake_server import Refusal  # noqa: E402
from tests.export.fake_server import grpc_server  # noqa: E402
from tests.export.fake_server import rest_server  # noqa: E402

SERVERS = {"rest": rest_server, "grpc": grpc_server}
BUSY = Refusal("UNAVAILABLE", 503, "busy")
FULL = Refusal("RESOURCE_EXHAUSTED", 429, "The batch scheduling queue is full")
TEXTS = ["keras", "", "naïve", "attention"]


@pytest.fixture(scope="module")
def model(exported, serve):
    return FakeModel(exported, lambda name, inputs: serve(name, **inputs))


@pytest.fixture(scope="module")
def urls(model):
    with contextlib.ExitStack() as stack:
        yield {
            name: stack.enter_context(server(model))
            for name, server in SERVERS.items()
        }


@pytest.fixture(params=SERVERS)
def url(urls, request, model, monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    model.troubles.clear()
    model.requests.clear()
    model.largest = 4_000_000
    return urls[request.param]


@pytest.fixture
def client(url, monkeypatch):
    monkeypatch.setattr(client_module.retries, "PAUSE", 0.001)
    return Client(url)


def test_generate(task, client):
    assert client.generate(TEXTS) == task.generate(TEXTS)
    assert client.generate([]) == []
    assert client.status() == {1: "AVAILABLE"}


def test_n_best(task, client):
    expected = task.generate(TEXTS, n_best=5, return_attention_scores=True)
    for row, hypotheses in zip(
        client.rows({"text": TEXTS}, "n_best"), expected
    ):
        places = [place for place, n in enumerate(row["lengths"]) if n]
        texts = [row["texts"][place] for place in places]
        assert texts == [h.text for h in hypotheses]
        scores = [h.score for h in hypotheses]
        np.testing.assert_allclose(row["scores"][places], scores, atol=1e-5)
        for place, h in zip(places, hypotheses):
            tokens, source = h.attention_scores.shape
            found = row["attention_scores"][place, :tokens]
            assert row["attention_scores"].shape[2] == source
            np.testing.assert_allclose(found, h.attention_scores, atol=1e-5)


def test_score_and_sample(task, client):
    pairs = [("keras", "K EH R AH S"), ("a", "AH")]
    sources, targets = map(list, zip(*pairs))
    rows = client.rows({"source": sources, "target": targets}, "score")
    found = [row["log_prob"] for row in rows]
    np.testing.assert_allclose(found, task.score(pairs), atol=1e-5)
    assert [len(row["token_log_probs"]) for row in rows] == [6, 2]
    inputs = {"text": TEXTS, "seed": [1, 2, 3, 4]}
    rows = client.rows(inputs, "sample")
    again = client.rows(inputs, "sample")
    assert [row["text"] for row in rows] == [row["text"] for row in again]


def test_bytes_that_are_no_text(task, client):
    found = client.predict({"text": [b"ab\xff", "a\ud800"]})
    assert found["text"].tolist() == task.generate(["ab\ufffd", "a\ufffd"])


def test_many_rows_in_several_requests(url, model, task):
    texts = TEXTS * 3
    assert Client(url, batch_size=5).generate(texts) == task.generate(texts)
    assert [len(x["text"]) for _, x in model.requests] == [5, 5, 2]


BAD = [
    ("nothing", {"text": ["a"]}, "has the signatures.*'nothing'"),
    ("n_best", {"texts": ["a"]}, r"Missing: \['text'\]; too many: \['texts'\]"),
    ("sample", {"text": ["a"]}, r"Missing: \['seed'\]"),
    ("greedy", {"text": ["a"], "seed": [1]}, r"too many: \['seed'\]"),
    ("greedy", {"text": [1, 2]}, "dtype DT_STRING. Received: .*int32"),
    ("greedy", {"text": [["a"]]}, r"shape \(-1,\).*of shape \(1, 1\)"),
    ("sample", {"text": ["a"], "seed": ["1"]}, "dtype DT_INT32"),
    ("sample", {"text": ["a"], "seed": np.ones(1)}, "DT_INT32.*float64"),
]


@pytest.mark.parametrize("signature, inputs, problem", BAD)
def test_bad_requests_say_what_is_wrong(client, signature, inputs, problem):
    with pytest.raises(BadRequest, match=problem):
        client.rows(inputs, signature)
    assert len(client.generate(["a"])) == 1  # the next one is answered


def test_inputs_that_are_no_lists_of_one_type(client):
    with pytest.raises(TypeError, match="`text` must be a list.*type `str`"):
        client.predict({"text": "a"})
    with pytest.raises(TypeError, match=r"one type.*\['NoneType', 'bytes'\]"):
        client.predict({"text": ["a", None]})
    with pytest.raises(BadRequest, match="rows of equal length"):
        client.predict({"token_ids": [[1], [1, 2]]}, "token_ids")
    with pytest.raises(TypeError, match="Put a single text into a list"):
        client.generate("a")


@pytest.mark.parametrize("trouble", [BUSY, FULL])
def test_what_may_succeed_is_tried_again(client, model, trouble):
    model.troubles += [trouble, trouble]
    assert len(client.generate(["a"])) == 1
    assert len(model.requests) == 3
    model.troubles += [trouble] * 3
    with pytest.raises(Unavailable):
        client.generate(["a"])


def test_other_errors_are_not_tried_again(client, model):
    model.troubles.append(Refusal("INTERNAL", 500, "out of order"))
    with pytest.raises(ServingError, match="refused.*out of order"):
        client.generate(["a"])
    assert len(model.requests) == 1


def test_time_out(url, model):
    model.troubles.append(0.5)
    with pytest.raises(TimedOut, match="within 0.05 seconds"):
        Client(url, timeout=0.05).generate(["a"])
    with pytest.raises(TimeoutError):
        model.troubles.append(0.5)
        Client(url, timeout=0.05).generate(["a"])


def test_partial_failure(url, model, task):
    model.troubles += [0.0, Refusal("INTERNAL", 500, "out of order"), 0.0]
    with pytest.raises(PartialFailure, match="2 of 5.*rows 2 to 3") as failure:
        Client(url, batch_size=2).generate(["a", "b", "c", "d", "e"])
    rows, errors = failure.value.rows, failure.value.errors
    answers = [row and row["text"] for row in rows]
    a, b, e = task.generate(["a", "b", "e"])
    assert answers == [a, b, None, None, e]
    assert list(errors) == [(2, 4)]


def test_an_oversized_request(url, model):
    model.largest = 1000
    if url.startswith("http"):
        with pytest.raises(BadRequest, match="too large"):
            Client(url).generate(["x" * 2000])
    else:
        with pytest.raises(BadRequest, match="too large"):
            Client(url).generate(["x" * 5_000_000])
    assert len(Client(url).generate(["a"])) == 1


def test_another_model(url):
    client = Client(url.replace("/model", "/other"))
    with pytest.raises(BadRequest, match="no .*model"):
        client.generate(["a"])


@pytest.mark.parametrize("scheme", ["http", "grpc"])
def test_a_stopped_server(scheme, monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"{scheme}://127.0.0.1:{free.getsockname()[1]}/model"
    with pytest.raises(Unavailable, match="Is it running"):
        Client(url, retries=0).generate(["a"])


def test_something_else_at_the_address(url, model, monkeypatch):
    if url.startswith("http"):
        monkeypatch.setattr(model, "answer", lambda *_: {})
        with pytest.raises(ServingError):
            Client(url).rows({"text": ["a"]})


@pytest.mark.parametrize(
    "url",
    ["", "localhost:8501", "http://localhost", "ftp://a/b", "http://a/b/c/d"],
)
def test_urls_that_name_no_model(url):
    with pytest.raises(ValueError, match="`url` must name scheme, host and"):
        Client(url)
