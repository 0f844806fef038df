"""A task of subwords on both sides."""

import json
import pathlib

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from tests.helpers.subwords import SENTENCES

PAIRS = [*zip(SENTENCES, reversed(SENTENCES))]
TEXTS = [*SENTENCES, "", "Ünbekannt 猫!", "the rats"]
SETTINGS = {"units": 6, "embedding_dim": 4}

# Few texts give few pieces.
pytestmark = pytest.mark.filterwarnings("ignore:`vocabulary_size` should")


def subword_task():
    keras.utils.set_random_seed(0)
    return k2s.tasks.TextToText.from_corpus(
        PAIRS,
        "bahdanau_2015",
        source_tokenizer="subword",
        target_tokenizer="subword",
        search=k2s.search.BeamSearch(2, max_length=6, n_best=2),
        **SETTINGS,
    )


@pytest.fixture(scope="module")
def task():
    task = subword_task()
    task.compile(optimizer="adam", search=task.search)
    task.fit(PAIRS, epochs=1, batch_size=6, verbose=0)
    return task


def texts_of(rows):
    return [[h.text for h in row] for row in rows]


def test_tokenizers_by_name(task):
    assert isinstance(task.source_tokenizer, k2s.text.SubwordTokenizer)
    assert isinstance(task.target_tokenizer, k2s.text.SubwordTokenizer)
    assert task.model.source.vocabulary_size == len(
        task.source_tokenizer.vocabulary
    )


def test_few_texts_are_told(recwarn):
    with pytest.warns(UserWarning, match="`vocabulary_size` should.*=8000"):
        subword_task()


def test_one_vocabulary_of_both_sides():
    tokenizer = k2s.text.SubwordTokenizer.from_texts(
        SENTENCES, vocabulary_size=330
    )
    task = k2s.tasks.TextToText.from_corpus(
        PAIRS,
        "transformer_2017_small",
        source_tokenizer=tokenizer,
        target_tokenizer=tokenizer,
        hidden_dim=4,
        num_layers=1,
        num_heads=2,
        intermediate_dim=6,
    )
    assert np.all(np.isfinite(task.score(PAIRS)))


def test_saved_and_loaded(task, tmp_path):
    task.save(tmp_path / "task")
    names = sorted(x.name for x in (tmp_path / "task").iterdir())
    assert names == [
        "README.md",
        "card.json",
        "keras_seq2seq.json",
        "model.weights.h5",
    ]
    loaded = k2s.tasks.load(tmp_path / "task")
    assert loaded.source_tokenizer.model == task.source_tokenizer.model
    assert texts_of(loaded.generate(TEXTS, n_best=2)) == texts_of(
        task.generate(TEXTS, n_best=2)
    )
    np.testing.assert_allclose(
        loaded.score(PAIRS), task.score(PAIRS), atol=1e-5
    )


def test_a_damaged_model_in_the_folder(task, tmp_path):
    task.save(tmp_path / "task")
    path = pathlib.Path(tmp_path / "task" / "keras_seq2seq.json")
    description = json.loads(path.read_text())
    config = description["source_tokenizer"]["config"]
    config["model"] = config["model"][:2000] + config["model"][2004:]
    path.write_text(json.dumps(description))
    with pytest.raises(ValueError, match="model is damaged.*Copy"):
        k2s.tasks.load(tmp_path / "task")


def test_columns_of_attention_are_pieces(task):
    (row,) = task.generate(["The rats!"], return_attention_scores=True)
    tokens = task.source_tokenizer.tokenize("The rats!")
    assert row[0].attention_scores.shape[1] == len(tokens)
    assert task.source_labels("The rats!") == tokens


def test_whole_words_are_copied():
    """Unknown symbols of the target become words of the source."""
    task = k2s.tasks.TextToText.from_corpus(
        PAIRS,
        "bahdanau_2015",
        source_tokenizer="subword",
        target_tokenizer="symbol",
        search=k2s.search.GreedySearch(max_length=3),
        **SETTINGS,
    )
    weights, bias = task.model.output_layer.get_weights()
    bias[3] = 1e3
    task.model.output_layer.set_weights([weights, bias])
    texts = task.generate(["Zanzibar"], replace_unknown=True)
    assert texts == ["Zanzibar"]  # of many pieces, once


def test_exported(task, tmp_path):
    tf = pytest.importorskip("tensorflow")
    if keras.backend.backend() != "tensorflow":
        pytest.skip("under TensorFlow")
    from keras_seq2seq.export import export_saved_model

    path = export_saved_model(
        task, tmp_path, signatures=["n_best", "score"], replace_unknown=True
    )
    served = tf.saved_model.load(path).signatures
    found = served["n_best"](tf.constant(TEXTS))
    expected = task.generate(TEXTS, n_best=2, replace_unknown=True)
    assert [
        [text.decode() for text in row] for row in found["texts"].numpy()
    ] == texts_of(expected)
    np.testing.assert_allclose(
        found["scores"], [[h.score for h in row] for row in expected], rtol=1e-4
    )
    sources, targets = zip(*PAIRS)
    scores = served["score"](
        source=tf.constant(sources), target=tf.constant(targets)
    )
    short = [len(task.target_tokenizer.encode(text)) < 6 for text in targets]
    assert any(short)
    np.testing.assert_allclose(
        scores["log_prob"].numpy()[short],
        np.array(task.score(PAIRS))[short],
        atol=1e-4,
    )
