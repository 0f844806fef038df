"""The file that TensorFlow Serving reads before it is ready."""

import collections
import json
import os
import pathlib
import types

import keras
import numpy as np
import pytest

from keras_seq2seq.export.examples import make_examples
from keras_seq2seq.tasks.served_texts import ServedTexts
from keras_seq2seq.text import CharacterTokenizer
from keras_seq2seq.text import SymbolTokenizer
from keras_seq2seq.utils.checks import check_texts
from tests.export.conftest import EXAMPLES

pytest.importorskip("tensorflow")
if keras.backend.backend() != "tensorflow":
    pytest.skip("exports under TensorFlow", allow_module_level=True)
if os.environ.get("CI") != "true":
    pytest.importorskip("tensorflow_serving")

from keras_seq2seq.export import warmup  # noqa: E402
from tests.helpers.export import serving_requests  # noqa: E402

FOLDER = pathlib.Path("assets.extra")


def test_one_request_a_signature_and_bucket(exported, loaded):
    exported = pathlib.Path(exported)
    path = exported / FOLDER / "tf_serving_warmup_requests"
    requests = serving_requests.read_requests(path)
    count = collections.Counter(x.model_spec.signature_name for x in requests)
    assert count.keys() == set(loaded.signatures)
    assert set(count.values()) == {len(EXAMPLES)}
    texts = [
        serving_requests.arrays(request.inputs)["text"].tolist()
        for request in requests
        if request.model_spec.signature_name == "serving_default"
    ]
    assert texts == [[text.encode()] for text in EXAMPLES]
    description = (exported / FOLDER / "keras_seq2seq.json").read_text()
    assert json.loads(description)["warmup_requests"] == len(requests)


def test_the_message_is_the_servers_own():
    inputs = {
        "text": np.array(["naïve", "", "x" * 300], object),
        "seed": np.arange(3, dtype="int32"),
        "ids": np.zeros((3, 0), "int32"),
        "mask": np.ones((3, 2), "bool"),
    }
    written = warmup.serialize_request("model", "sample", inputs)
    expected = serving_requests.predict_request("sample", inputs)
    assert type(expected).FromString(written) == expected


def served(tokenizer, max_length, folder):
    """`ServedTexts` of a tokenizer alone."""
    task = types.SimpleNamespace(
        source_tokenizer=tokenizer, check_sources=check_texts
    )
    return ServedTexts(task, max_length, str(folder / tokenizer.unknown_text))


def test_texts_by_bucket(tmp_path):
    letters = CharacterTokenizer.from_texts(["ab"])
    symbols = SymbolTokenizer.from_texts(["K AA"])
    examples = ["a" * 9, "b", "bb", "a" * 11, "a" * 99, ""]
    texts = make_examples(served(letters, 20, tmp_path), examples)
    assert texts == ["b", "a" * 9, "a" * 99]
    texts = make_examples(served(letters, 9, tmp_path))
    assert texts == ["abab", "ababababa"]
    assert make_examples(served(symbols, 4, tmp_path)) == ["AA K AA K"]
    with pytest.raises(TypeError, match=r"examples\[0\]"):
        make_examples(served(symbols, 4, tmp_path), [3])
