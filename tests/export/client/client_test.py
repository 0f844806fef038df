"""The client against a fake server, in fair weather and foul."""

import contextlib
import socket

import numpy as np
import pytest

from keras_seq2seq.export import client as client_module
from keras_seq2seq.export.client import BadAnswer
from keras_seq2seq.export.client import BadRequest
from keras_seq2seq.export.client import Client
from keras_seq2seq.export.client import PartialFailure
from keras_seq2seq.export.client import ServingError
from keras_seq2seq.export.client import TimedOut
from keras_seq2seq.export.client import Unavailable
from keras_seq2seq.export.client.answers import check_outputs
from keras_seq2seq.export.client.answers import split_rows
from keras_seq2seq.export.client.values import from_json

tf = pytest.importorskip("tensorflow")
pytest.importorskip("tensorflow_serving")

from tests.helpers.export.fake_server import FakeModel  # noqa: E402
from tests.helpers.export.fake_server import Refusal  # noqa: E402
from tests.helpers.export.fake_server import grpc_server  # noqa: E402
from tests.helpers.export.fake_server import rest_server  # noqa: E402
from tests.helpers.export.fake_server import signature_of  # noqa: E402

SERVERS = {"rest": rest_server, "grpc": grpc_server}
BUSY = Refusal("UNAVAILABLE", 503, "busy")
FULL = Refusal("RESOURCE_EXHAUSTED", 429, "The batch scheduling queue is full")
TEXT = {"text": ("string", 1)}
SIGNATURES = {
    "serving_default": TEXT,
    "n_best": TEXT,
    "greedy": TEXT,
    "sample": {**TEXT, "seed": ("int32", 1)},
    "score": {"source": ("string", 1), "target": ("string", 1)},
    "token_ids": {"token_ids": ("int32", 2), "lengths": ("int32", 1)},
}
BEST = {"text": ("string", 1), "score": ("float32", 1)}
N_BEST = {
    "texts": ("string", 2),
    "scores": ("float32", 2),
    "lengths": ("int32", 2),
    "attention_scores": ("float32", 4),
    "source_lengths": ("int32", 1),
}


def answer(signature, inputs):
    """Capitals; of the n-best, the second is empty and has no length."""
    (text,) = (x for x in inputs.values() if x.dtype == object)
    rows = len(text)
    capitals = np.empty(rows, object)
    for row, x in enumerate(text):
        capitals[row] = x.decode(errors="replace").upper().encode()
    lengths = np.array([len(x) for x in text], "int32")
    if signature != "n_best":
        return {"text": capitals, "score": -lengths.astype("float32")}
    longest = max(lengths)
    places = np.arange(longest) < lengths[:, None]  # (rows, longest)
    attention = np.zeros((rows, 2, longest, longest), "float32")
    attention[:, 0] = places[:, :, None] & places[:, None]
    return {
        "texts": np.stack([capitals, np.full(rows, b"", object)], 1),
        "scores": np.tile(np.array([-1.0, -1e9], "float32"), (rows, 1)),
        "lengths": np.stack([lengths, 0 * lengths], 1),
        "attention_scores": attention,
        "source_lengths": lengths,
    }


@pytest.fixture(scope="module")
def model():
    signatures = {
        name: signature_of(x, N_BEST if name == "n_best" else BEST)
        for name, x in SIGNATURES.items()
    }
    return FakeModel(signatures, answer)


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


def test_texts(client):
    assert client.generate(["a", "", "naïve", "a\ud800"]) == [
        *("A", "", "NAÏVE", "A\ufffd")
    ]
    assert client.generate([]) == []
    assert client.predict({"text": [b"ab\xff"]})["text"] == ["AB\ufffd"]
    assert client.status() == {1: "AVAILABLE"}
    assert client.signatures().keys() == SIGNATURES.keys()


def test_rows_are_cut_to_their_own_lengths(client):
    first, second = client.rows({"text": ["abc", "a"]}, "n_best")
    assert first["texts"].tolist() == ["ABC", ""]
    assert first["lengths"].tolist() == [3, 0]
    assert first["attention_scores"].shape == (2, 3, 3)
    assert second["attention_scores"].tolist() == [[[1.0]], [[0.0]]]


def test_many_rows_in_several_requests(url, model):
    texts = list("abcdefghijkl")
    found = Client(url, batch_size=5).generate(texts)
    assert found == [text.upper() for text in texts]
    assert [len(x["text"]) for _, x in model.requests] == [5, 5, 2]


BAD = [
    ("nothing", {"text": ["a"]}, "has the signatures.*'nothing'"),
    (
        "n_best",
        {"texts": ["a"]},
        r"Missing: \['text'\], unexpected: \['texts'\]",
    ),
    ("sample", {"text": ["a"]}, r"Missing: \['seed'\]"),
    ("greedy", {"text": ["a"], "seed": [1]}, r"unexpected: \['seed'\]"),
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
    with pytest.raises(BadRequest, match="integers of 32 bits"):
        client.predict({"token_ids": [[2**40]]}, "token_ids")
    for seed in (7, np.array(7)):
        with pytest.raises(TypeError, match="`seed` must be a list"):
            client.rows({"text": ["a"], "seed": seed}, "sample")
    with pytest.raises(TypeError, match="Put a single text into a list"):
        client.generate("a")


def test_rows_of_all_inputs_are_as_many(client, model):
    with pytest.raises(BadRequest, match=r"as many rows.*'text': 2, 'seed': 1"):
        client.rows({"text": ["a", "b"], "seed": [1]}, "sample")
    assert not model.requests


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


def test_no_try_begins_after_the_deadline(url, model):
    model.troubles += [BUSY] * 100
    with pytest.raises(Unavailable):
        Client(url, timeout=2.0, retries=99).generate(["a"])
    # The pauses are at least 0.05, 0.1, 0.2 and so on: 1.55 before the sixth.
    assert 1 <= len(model.requests) <= 6
    model.troubles.clear()


def test_partial_failure(url, model):
    model.troubles += [0.0, Refusal("INTERNAL", 500, "out of order"), 0.0]
    with pytest.raises(PartialFailure, match="2 of 5.*rows 2 to 3") as failure:
        Client(url, batch_size=2).generate(["a", "b", "c", "d", "e"])
    rows, errors = failure.value.rows, failure.value.errors
    answers = [row and row["text"] for row in rows]
    assert answers == ["A", "B", None, None, "E"]
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


def test_an_oversized_answer(url):
    with pytest.raises(BadAnswer, match="at most 1000 bytes.*max_answer_bytes"):
        Client(url, max_answer_bytes=1000).generate(["x" * 2000])
    assert Client(url, max_answer_bytes=1000).generate(["a"]) == ["A"]


def test_a_tensor_that_claims_to_be_large(urls, model, monkeypatch):
    tensor = tf.make_tensor_proto([1.0], shape=[1])
    tensor.tensor_shape.dim.add(size=10**12)
    outputs = {"text": tf.make_tensor_proto(["a"]), "score": tensor}
    monkeypatch.setattr(model, "answer", lambda *_: outputs)
    with pytest.raises(BadAnswer, match="at most 67108864 bytes"):
        Client(urls["grpc"]).generate(["a"])


FLOATS = np.ones(1, "float32")
TEXTS = np.array([b"A"], object)


@pytest.mark.parametrize(
    "outputs, problem",
    [
        ({"text": np.ones(1, "int32"), "score": FLOATS}, "`text`.*DT_STRING"),
        ({"text": FLOATS, "score": FLOATS}, "`text`.*DT_STRING"),
        ({"text": TEXTS, "score": TEXTS}, "`score` .*DT_FLOAT"),
        ({"text": TEXTS, "score": FLOATS > 0}, "`score`.*dtype bool"),
        ({"text": TEXTS, "score": FLOATS[:, None]}, r"the shape \[-1\]"),
        ({"text": TEXTS}, r"must have the outputs \['score', 'text'\]"),
        ({"text": TEXTS, "score": FLOATS, "x": FLOATS}, "must have the outp"),
    ],
)
def test_answers_of_another_type(client, model, monkeypatch, outputs, problem):
    monkeypatch.setattr(model, "answer", lambda *_: outputs)
    for _ in range(2):  # the types are asked for, then known
        with pytest.raises(BadAnswer, match=problem):
            client.predict({"text": ["a"]})


def test_a_newer_version_may_have_other_types(client, model, monkeypatch):
    assert client.generate(["a"]) == ["A"]
    newer = signature_of(TEXT, {"text": ("string", 1), "score": ("string", 1)})
    monkeypatch.setitem(model.signatures, "serving_default", newer)
    found = {"text": TEXTS, "score": TEXTS}
    monkeypatch.setattr(model, "answer", lambda *_: found)
    assert client.rows({"text": ["a"]}) == [{"text": "A", "score": "A"}]


def test_whole_numbers_are_floats_where_the_signature_says_so():
    outputs = {"text": np.array(["A"], object), "score": np.array([-1])}
    info = {"dtype": "DT_FLOAT", "shape": [-1]}
    specs = {"text": {"dtype": "DT_STRING", "shape": None}, "score": info}
    assert check_outputs(outputs, specs)["score"].dtype == "float64"
    none = {"text": np.zeros(0), "score": np.zeros(0)}
    assert check_outputs(none, specs)["text"].dtype == object


def test_another_model(url):
    client = Client(url.rpartition("/")[0] + "/other")
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


@pytest.mark.parametrize(
    "outputs",
    [
        {"text": np.array("a", object)},  # a scalar
        {"token_log_probs": np.ones((1, 2)), "target_lengths": np.array([-1])},
        {"token_log_probs": np.ones((1, 2)), "target_lengths": np.ones(1)},
        {"text": np.array(["a", "b"], object)},  # a row too many
        {"attention_scores": np.ones((1, 1, 1, 1))},  # without lengths
        {"token_log_probs": np.ones((1, 2)), "target_lengths": np.ones((1, 2))},
    ],
)
def test_answers_of_another_form(outputs):
    with pytest.raises(ServingError, match="An answer must.*Received: outputs"):
        split_rows(outputs, 1)


def test_attention_to_sources_of_unknown_lengths():
    row = {
        "lengths": np.array([[2, 1]]),
        "attention_scores": np.ones((1, 2, 6, 7)),
    }
    (found,) = split_rows(row, 1)
    assert found["attention_scores"].shape == (2, 2, 7)


def test_attention_by_layer_is_cut_too():
    row = {
        "lengths": np.array([[2, 1]]),
        "source_lengths": np.array([3]),
        "attention_scores": np.ones((1, 2, 4, 5, 6, 7)),
        "encoder_attention_scores": np.ones((1, 4, 5, 7, 7)),
        "decoder_attention_scores": np.ones((1, 2, 4, 5, 6, 6)),
    }
    (found,) = split_rows(row, 1)
    assert found["attention_scores"].shape == (2, 4, 5, 2, 3)
    assert found["encoder_attention_scores"].shape == (4, 5, 3, 3)
    assert found["decoder_attention_scores"].shape == (2, 4, 5, 2, 2)


def test_nulls_are_no_values():
    with pytest.raises(ValueError, match="null"):
        from_json([["a"], [None]])
