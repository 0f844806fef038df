"""A task of one's own: frames of numbers to text, with the hooks alone."""

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.testing import assert_close

LETTERS = "abc"
TEXTS = ["abc", "cab", "b", "ac", "bca", "aa"]


@keras.saving.register_keras_serializable("task_test")
class FramesToText(k2s.tasks.Task):
    """Lists of frames of three numbers, `scale` times as loud, to text."""

    def __init__(self, model, target_tokenizer, search=None, scale=1.0):
        super().__init__(model, target_tokenizer, search)
        self.scale = scale

    def read_corpus(self, corpus, argument):
        sources, references = zip(*corpus)
        return self.check_sources(sources, argument), list(references)

    def check_sources(self, sources, argument="frames"):
        for source in sources:
            if np.ndim(source) != 2:
                raise TypeError(f"`{argument}` must be lists of frames.")
        return list(sources)

    def encode_source(self, sources, argument="frames"):
        return [self.scale * np.asarray(x, "float32") for x in sources]

    def batch_sources(self, rows, length):
        frames = np.zeros((len(rows), length, 3), "float32")
        mask = np.zeros((len(rows), length), bool)
        for place, row in enumerate(rows):
            frames[place, : len(row)] = row
            mask[place, : len(row)] = True
        return {self.source.input_name: frames, self.source.mask_name: mask}

    def source_labels(self, source):
        return [str(number) for number in range(len(source))]


def frames_of(text):
    """Two frames a letter, one-hot."""
    places = [LETTERS.index(letter) for letter in text]
    return np.repeat(np.eye(3)[places], 2, axis=0)


CORPUS = [(frames_of(text), [text, text]) for text in TEXTS]
FRAMES = [frames for frames, _ in CORPUS]


def fresh_task():
    keras.utils.set_random_seed(2)
    tokenizer = k2s.text.CharacterTokenizer.from_texts(TEXTS)
    cell = k2s.layers.LuongCell(keras.layers.GRUCell(12))
    model = k2s.models.Seq2Seq(
        k2s.layers.RecurrentEncoder(
            keras.layers.GRUCell(8), bidirectional=True
        ),
        k2s.layers.RecurrentDecoder(cell, bridge="dense"),
        sources=k2s.sources.RawSource((None, 3), use_padding_mask=True),
        target_vocabulary_size=len(tokenizer.vocabulary),
        embedding_dim=6,
    )
    search = k2s.search.BeamSearch(3, max_length=5)
    return FramesToText(model, tokenizer, search, scale=2.0)


@pytest.fixture(scope="module")
def task():
    task = fresh_task()
    task.compile(keras.optimizers.Adam(0.03))
    history = task.fit(
        CORPUS,
        validation_data=CORPUS[:2],
        batch_size=5,  # the last batch is filled up
        num_buckets=1,
        epochs=60,
        verbose=0,
    )
    assert history.history["val_loss"][-1] < 0.1
    return task


def test_it_learned(task):
    assert task.generate(FRAMES) == TEXTS
    assert task.evaluate(CORPUS) == {"per": 0.0, "wer": 0.0}
    wrong = [(frames, ["b" + text]) for frames, (text, _) in CORPUS]
    assert task.evaluate(wrong, metrics=["wer"]) == {"wer": 1.0}


def test_batches():
    dataset = fresh_task().batches(
        CORPUS[:2], batch_size=5, num_buckets=1, shuffle=False
    )
    inputs, targets, weights = dataset[0]
    expected = 2 * np.stack([frames_of(TEXTS[0])] * 2 + [frames_of("cab")] * 2)
    np.testing.assert_array_equal(inputs["encoder_inputs"][:4], expected)
    assert not inputs["encoder_inputs"][4].any()
    mask = [[True] * 6] * 4 + [[False] * 6]
    np.testing.assert_array_equal(inputs["encoder_padding_mask"], mask)
    assert weights.sum(axis=1).tolist() == [4, 4, 4, 4, 0]
    assert targets.shape == (5, 4)


def test_scores_are_those_of_the_search(task):
    found = task.generate(FRAMES, n_best=2)
    pairs = [(f, best.text) for f, row in zip(FRAMES, found) for best in row]
    expected = [best.score for row in found for best in row]
    assert_close(np.array(task.score(pairs)), np.array(expected))
    alone = [task.score([pair])[0] for pair in pairs[:3]]
    assert_close(np.array(alone), np.array(expected[:3]))


def test_attention_over_frames(task):
    (found,) = task.score(
        [CORPUS[0][:1] + ("abc",)], return_attention_scores=True
    )
    assert found.attention_scores.shape == (3, len(FRAMES[0])) == (3, 6)
    np.testing.assert_allclose(found.attention_scores.sum(1), 1, atol=1e-5)
    ((best,), _) = task.generate(
        FRAMES[1:3], n_best=1, return_attention_scores=True
    )
    assert best.attention_scores.shape == (3, 6)


def test_vectors(task):
    found = task.encode(FRAMES)
    assert found.shape == (len(FRAMES), 16)
    for frames, vector in zip(FRAMES[:3], found):
        assert_close(task.encode([frames])[0], vector)


def test_save_and_load(task, tmp_path):
    task.save(tmp_path / "task")
    loaded = k2s.tasks.load(tmp_path / "task")
    assert type(loaded) is FramesToText
    assert loaded.scale == 2.0
    assert loaded.model.optimizer is not None
    pairs = [(frames, text) for frames, (text, _) in CORPUS]
    assert_close(np.array(loaded.score(pairs)), np.array(task.score(pairs)))
    with pytest.raises(ValueError, match="must hold a `TextToText`.*Frames"):
        k2s.tasks.TextToText.from_preset(tmp_path / "task")


def test_a_class_that_is_not_there(task, tmp_path):
    task.save(tmp_path / "task")
    name = "task_test>FramesToText"
    registered = keras.saving.get_custom_objects().pop(name)
    try:
        with pytest.raises(ValueError, match=f"class='{name}'. If that"):
            k2s.tasks.load(tmp_path / "task")
    finally:
        keras.saving.get_custom_objects()[name] = registered


def test_what_frames_cannot(task):
    with pytest.raises(ValueError, match="copy words.*`FramesToText`"):
        task.generate(FRAMES, replace_unknown=True)
    with pytest.raises(TypeError, match="`pairs, source` must be lists of"):
        task.score([([1, 2], "a")])
    with pytest.raises(TypeError, match=r"`pairs, target`.*target\[0\]"):
        task.score([(FRAMES[0], None)])


def test_hooks_must_be_filled():
    class Empty(k2s.tasks.Task):
        pass

    with pytest.raises(TypeError, match="abstract"):
        Empty(None, None)


def test_several_texts_beside_each_other(task):
    """Rows of other lengths, and the other rows of a batch, change nothing."""
    found = task.generate(FRAMES[::-1], n_best=1)
    for frames, (best,) in zip(FRAMES[::-1], found):
        ((alone,),) = task.generate([frames], n_best=1)
        assert alone.text == best.text
        assert abs(alone.score - best.score) < 1e-5
