"""A preset does all that a task can do, with nothing but defaults."""

import inspect
import tempfile

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.export.saved_model import choose_source_length

TEXTS = ["Berlin", "Bremen", "Lisbon"]  # of one length: one compilation
PAIRS = [(text, text[::-1]) for text in TEXTS]
# Small where the cost is; what is left, positions too, is the preset's.
TINY = {
    "units": 4,
    "embedding_dim": 4,
    "hidden_dim": 4,
    "num_layers": 2,
    "num_heads": 2,
    "intermediate_dim": 6,
}


ALL = {**k2s.models.PRESETS, **k2s.models.LANGUAGE_MODELS}


def made(preset):
    """A fresh task with the search that it has by itself."""
    languages = k2s.models.LANGUAGE_MODELS
    known = inspect.signature(ALL[preset]).parameters
    settings = {name: size for name, size in TINY.items() if name in known}
    if preset in languages:
        return k2s.tasks.TextCompletion.from_texts(TEXTS, preset, **settings)
    return k2s.tasks.TextToText.from_corpus(PAIRS, preset, **settings)


def served(task, texts):
    """Answers of the function that `task.export` writes, by default.

    It is traced as for a file, with the default search and length of sources,
    and answers a source of that length, too: what a preset may lack is found
    before anything is written. Files of some of them are made and loaded below
    and in `tests/export`.
    """
    import tensorflow as tf

    from keras_seq2seq.export.graph import make_module
    from keras_seq2seq.export.selection import select_signatures
    from keras_seq2seq.export.signatures.parts import Parts

    length = choose_source_length(task, None)
    with tempfile.TemporaryDirectory() as folder:
        parts = Parts.of(
            task,
            task.search,
            folder,
            max_source_length=length,
            replace_unknown=False,
        )
        _, functions = make_module(parts, select_signatures(parts, [], None))
        longest = parts.source.made_up(length)
        found = functions["serving_default"](
            {"text": tf.constant([*texts, longest])}
        )
    assert np.isfinite(found["score"].numpy()).all()
    return [text.decode() for text in found["text"].numpy()][: len(texts)]


@pytest.mark.parametrize("preset", ALL)
def test_defaults_alone(preset):
    keras.utils.set_random_seed(0)
    task = made(preset)
    is_language_model = preset in k2s.models.LANGUAGE_MODELS
    corpus = TEXTS if is_language_model else PAIRS
    answers = task.generate(TEXTS)
    assert len(answers) == 3
    if keras.backend.backend() == "tensorflow":
        assert served(task, TEXTS) == answers
    assert np.isfinite(task.score(PAIRS)).all()
    assert np.isfinite(list(task.evaluate(corpus).values())).all()
    # What an export asks of the positions.
    assert choose_source_length(task, None) >= 32


@pytest.mark.parametrize(
    "preset, places", [("radford_2018_small", 32), ("radford_2018", 100)]
)
def test_a_beginning_as_long_as_the_answer(preset, places):
    # Of 64 positions half are for the answer; of 512 the usual 100.
    task = made(preset)
    assert task.search.max_length == places
    assert task.search.get_config() == {
        **k2s.search.BeamSearch(num_beams=5).get_config(),
        "max_length": places,
    }
    task.model.check_lengths(places, places)


def test_positions_of_their_own():
    def position(places):
        return k2s.layers.LearnedPosition(places)

    block = k2s.layers.TransformerBlock(2, 6)
    tokenizer = k2s.text.CharacterTokenizer.from_texts(["ab"])
    for source, target, expected in ((9, 50, 50), (50, 9, 9), (200, 300, 100)):
        model = k2s.models.Seq2Seq(
            k2s.layers.TransformerEncoder(block, 1, position=position(source)),
            k2s.layers.TransformerDecoder(block, 1, position=position(target)),
            source_vocabulary_size=6,
            target_vocabulary_size=6,
            embedding_dim=4,
        )
        task = k2s.tasks.TextToText(model, tokenizer, tokenizer)
        assert task.search.max_length == expected


def test_a_given_search_is_taken_as_it_is():
    task = made("radford_2018_small")
    with pytest.raises(ValueError, match="max_length=64.*lower the `max_le"):
        task.generate(["Ber"], search=k2s.search.GreedySearch())
    task.compile(search="greedy")
    assert task.search.max_length == 100


@pytest.mark.skipif(
    keras.backend.backend() != "tensorflow", reason="one export, one backend"
)
def test_exported_by_default(tmp_path):
    import tensorflow as tf

    from keras_seq2seq.export import export_saved_model

    task = made("radford_2018_small")
    signatures = tf.saved_model.load(export_saved_model(task, tmp_path))
    best = signatures.signatures["serving_default"](tf.constant(TEXTS))
    found = [text.decode() for text in best["text"].numpy()]
    assert found == task.generate(TEXTS)
