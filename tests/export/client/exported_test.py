"""The client and a real export behind a fake server."""

import os

import keras
import numpy as np
import pytest

from keras_seq2seq.export.client import Client
from keras_seq2seq.export.graph_checks import read_saved_model

pytest.importorskip("tensorflow")
if keras.backend.backend() != "tensorflow":
    pytest.skip("exports under TensorFlow", allow_module_level=True)
if os.environ.get("CI") != "true":
    pytest.importorskip("tensorflow_serving")

from tests.helpers.export.fake_server import FakeModel  # noqa: E402
from tests.helpers.export.fake_server import grpc_server  # noqa: E402
from tests.helpers.export.fake_server import rest_server  # noqa: E402

# Some texts are strange on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:At most 10% of the tokens")

SERVERS = {"rest": rest_server, "grpc": grpc_server}
TEXTS = ["keras", "", "naïve", "attention"]


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.fixture(scope="module")
def signatures(exported):
    (meta_graph,) = read_saved_model(exported).meta_graphs
    return dict(meta_graph.signature_def)


@pytest.fixture(scope="module", params=SERVERS)
def client(signatures, serve, request):
    model = FakeModel(signatures, lambda name, inputs: serve(name, **inputs))
    with SERVERS[request.param](model) as url:
        yield Client(url, timeout=100.0)


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


def test_through_the_probe(exported, ask_probe, signatures, task):
    """What answers is TensorFlow's C++ session, in a process of its own."""

    def answer(signature, inputs):
        done, responses = ask_probe(exported, [(signature, inputs)])
        assert done.returncode == 0, done.stderr
        return responses[0]

    with rest_server(FakeModel(signatures, answer)) as url:
        client = Client(url, timeout=100.0)
        assert client.generate(TEXTS) == task.generate(TEXTS)
