"""Task folders of an earlier format, kept for good: same answers as then."""

import json

import numpy as np
import pytest

import keras_seq2seq as k2s
from tests.fixtures import FOLDER
from tests.fixtures.make_format_2 import TEXTS


def recorded(name):
    """The task that a folder holds, and what its maker recorded of it."""
    folder = FOLDER / "format_2"
    record = json.loads((folder / f"{name}.json").read_text())
    description = folder / name / "keras_seq2seq.json"
    assert json.loads(description.read_text())["format"] == 2
    return k2s.tasks.load(folder / name), record


@pytest.mark.parametrize("name", ["TextToText", "TextCompletion"])
def test_answers_of_then(name):
    task, record = recorded(name)
    assert type(task) is getattr(k2s.tasks, name)
    found = task.generate(
        record["sources"], n_best=2, return_attention_scores=True
    )
    for row, expected, scores in zip(
        found, record["answers"], record["attention"], strict=True
    ):
        assert [best.text for best in row] == [text for text, _ in expected]
        np.testing.assert_allclose(
            [best.score for best in row], [x for _, x in expected], atol=1e-4
        )
        shape = row[0].attention_scores.shape
        scores = np.reshape(scores, shape)
        np.testing.assert_allclose(row[0].attention_scores, scores, atol=1e-4)
    pairs = [tuple(pair) for pair in record["pairs"]]
    np.testing.assert_allclose(task.score(pairs), record["scores"], atol=1e-4)


def test_a_language_model_of_then(tmp_path):
    task, record = recorded("TextCompletion")
    assert task.tokenizer is task.source_tokenizer is task.target_tokenizer
    perplexity = task.perplexity(TEXTS)
    np.testing.assert_allclose(perplexity, record["perplexity"], rtol=1e-4)
    for (found,), (expected,) in zip(
        task.next_tokens(record["sources"], k=1), record["next_tokens"]
    ):
        assert found[0] == expected[0]
        np.testing.assert_allclose(found[1], expected[1], atol=1e-4)
    task.save(tmp_path / "task")
    description = tmp_path / "task" / "keras_seq2seq.json"
    description = json.loads(description.read_text())
    assert "tokenizer" in description
    assert {"source_tokenizer", "target_tokenizer"}.isdisjoint(description)
    again = k2s.tasks.load(tmp_path / "task")
    np.testing.assert_allclose(again.perplexity(TEXTS), perplexity, rtol=1e-5)
