import hashlib
import json

import h5py
import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.tasks.description import DESCRIPTION
from keras_seq2seq.tasks.description import WEIGHTS

pytestmark = pytest.mark.eager

PAIRS = [("abc", "A B C"), ("ab", "A B")]
TEXTS = ["abc", "", "ba"]


@pytest.fixture(scope="module")
def task():
    task = k2s.tasks.TextToText.from_corpus(
        PAIRS,
        "bahdanau_2015",
        target_tokenizer="symbol",
        search=k2s.search.BeamSearch(3, max_length=6, length_penalty="wu"),
        units=4,
        embedding_dim=3,
    )
    task.compile(keras.optimizers.SGD(0.25))
    return task


@pytest.fixture
def folder(task, tmp_path):
    task.save(tmp_path / "task")
    return tmp_path / "task"


def answers(task):
    return [
        (hypothesis.text, hypothesis.score)
        for group in task.generate(TEXTS, n_best=3)
        for hypothesis in group
    ]


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def describe(folder, **changes):
    path = folder / DESCRIPTION
    text = json.dumps({**json.loads(path.read_text()), **changes})
    path.write_text(text)


def test_a_loaded_task_gives_equal_answers(task, folder):
    loaded = k2s.tasks.load(folder)
    for (text, score), (old_text, old_score) in zip(
        answers(loaded), answers(task), strict=True
    ):
        assert text == old_text
        assert abs(score - old_score) < 1e-6
    assert loaded.search.get_config() == task.search.get_config()
    assert isinstance(loaded.model.optimizer, keras.optimizers.SGD)
    assert float(loaded.model.optimizer.learning_rate) == 0.25
    loaded.fit(PAIRS, batch_size=2, num_buckets=1, verbose=0)
    same = k2s.tasks.TextToText.from_preset(str(folder))
    assert type(same) is k2s.tasks.TextToText


def test_a_task_never_compiled(task, tmp_path):
    model = type(task.model).from_config(task.model.get_config())
    fresh = k2s.tasks.TextToText(
        model, task.source_tokenizer, task.target_tokenizer
    )
    fresh.save(tmp_path / "fresh")
    assert not k2s.tasks.load(tmp_path / "fresh").model.compiled


def test_description(folder):
    description = json.loads((folder / DESCRIPTION).read_text())
    assert description["format"] == 3
    assert "compile_config" not in description["model"]
    assert description["versions"]["backend"] == keras.backend.backend()


def test_saving_again_replaces(task, folder):
    weights = task.model.get_weights()
    try:
        task.model.set_weights([w + 1 for w in weights])
        task.save(folder)
    finally:
        task.model.set_weights(weights)
    first = k2s.tasks.load(folder).model.get_weights()[0]
    np.testing.assert_allclose(first, weights[0] + 1, atol=1e-6)
    assert [path.name for path in folder.parent.iterdir()] == ["task"]


def test_a_failed_save_leaves_the_old_folder(task, folder, monkeypatch):
    before = contents(folder)
    monkeypatch.setattr(task, "search", object())
    with pytest.raises(Exception):
        task.save(folder)
    assert contents(folder) == before
    assert [path.name for path in folder.parent.iterdir()] == ["task"]
    with pytest.raises(Exception):
        task.save(folder.parent / "deep" / "new")
    assert [path.name for path in folder.parent.iterdir()] == ["task"]


def test_what_is_not_a_task_is_never_replaced(task, tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine").write_text("mine")
    with pytest.raises(FileExistsError, match="something else: .'mine'"):
        task.save(tmp_path / "notes")
    for folder in ("notes/mine", "notes/mine/task"):
        with pytest.raises(OSError, match="`folder` must be.*mine is a file"):
            task.save(tmp_path / folder)
    assert (tmp_path / "notes" / "mine").read_text() == "mine"


def test_what_is_beside_a_task_is_never_lost(task, folder):
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="something else: .'notes.txt'"):
        task.save(folder)
    assert (folder / "notes.txt").read_text() == "mine"


def test_a_link_and_an_empty_folder(task, folder, tmp_path):
    (tmp_path / "latest").symlink_to(folder)
    task.save(tmp_path / "latest")
    assert (tmp_path / "latest").is_symlink()
    (tmp_path / "empty").mkdir()
    task.save(tmp_path / "empty")
    assert contents(tmp_path / "empty").keys() == contents(folder).keys()


class Own(k2s.search.constraints.Constraint):
    def __call__(self, log_probs, state, context):
        return log_probs


def test_a_class_that_could_not_be_loaded_is_not_saved(task, tmp_path):
    search = k2s.search.GreedySearch(constraints=[Own()])
    other = k2s.tasks.TextToText(
        task.model, task.source_tokenizer, task.target_tokenizer, search
    )
    with pytest.raises(ValueError, match="registered_name=.*Own.*Register it"):
        other.save(tmp_path / "own")
    assert not (tmp_path / "own").exists()


def test_without_the_optimizer(tmp_path):
    pairs = [("ab", "A B"), ("b", "B")]
    task = k2s.tasks.TextToText.from_corpus(
        pairs, "luong_2015_small", units=8, embedding_dim=4
    )
    task.compile("adam")
    task.fit(pairs, batch_size=2, verbose=0)
    optimizer = task.model.optimizer
    task.save(tmp_path / "with")
    task.save(tmp_path / "without", include_optimizer=False)
    assert task.model.optimizer is optimizer and task.model.compiled
    for name, groups in (
        ("with", {"layers", "optimizer"}),
        ("without", {"layers"}),
    ):
        with h5py.File(tmp_path / name / WEIGHTS) as file:
            assert {n for n in file if len(file[n])} == groups
    loaded = k2s.tasks.load(tmp_path / "without")
    assert not loaded.model.compiled
    assert loaded.score(pairs) == pytest.approx(task.score(pairs), abs=1e-5)


def test_an_optimizer_that_could_not_be_loaded_is_left_out(folder, tmp_path):
    task = k2s.tasks.load(folder)
    task.compile(keras.optimizers.SGD(lambda: 0.1))
    with pytest.warns(UserWarning, match="without its optimizer"):
        task.save(tmp_path / "other")
    loaded = k2s.tasks.load(tmp_path / "other")
    assert answers(loaded) == answers(task)


def test_no_folder(tmp_path):
    with pytest.raises(ValueError, match="`folder` must hold a saved task"):
        k2s.tasks.load(tmp_path / "nothing")


@pytest.mark.parametrize("name", [DESCRIPTION, WEIGHTS])
@pytest.mark.parametrize("damage", ["missing", "truncated", "foreign"])
def test_damaged_files(folder, name, damage):
    path = folder / name
    content = path.read_bytes()
    path.unlink()
    if damage == "truncated":
        path.write_bytes(content[: len(content) // 2])
    if damage == "foreign":
        path.write_bytes(b'["something else"]')
    with pytest.raises(ValueError, match=f"Received: folder=.*|{name}"):
        k2s.tasks.load(folder)


def test_weights_of_another_task(task, folder, tmp_path):
    (folder / WEIGHTS).write_bytes(b"other weights")
    with pytest.raises(ValueError, match=f"{WEIGHTS} is damaged"):
        k2s.tasks.load(folder)
    (folder / WEIGHTS).unlink()
    with pytest.raises(ValueError, match=f"{WEIGHTS} is missing"):
        k2s.tasks.load(folder)


def test_a_newer_format(folder):
    describe(folder, format=4, versions={"keras_seq2seq": "9.0"})
    with pytest.raises(ValueError, match="format=4, by .*9.0.*Update"):
        k2s.tasks.load(folder)
    describe(folder, format=4, versions=None)
    with pytest.raises(ValueError, match="format=4"):
        k2s.tasks.load(folder)


@pytest.mark.parametrize(
    "changes",
    [
        {"format": "1"},
        {"format": None},
        {"format": 0},
        {"model": None},
        {"sha256": []},
        {"sha256": {}},
        {"versions": []},
    ],
)
def test_a_description_of_something_else(folder, changes):
    describe(folder, **changes)
    with pytest.raises((TypeError, ValueError), match="something else|`model`"):
        k2s.tasks.load(folder)


def test_another_class(folder):
    describe(folder, **{"class": "ImageToText"})
    with pytest.raises(ValueError, match="class='ImageToText'"):
        k2s.tasks.load(folder)


def test_the_current_folder_is_not_replaced(task, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="current folder.*Name a folder in it"):
        task.save(".")
    task.save("here")
    assert k2s.tasks.load("here").preset == "bahdanau_2015"


@pytest.mark.parametrize("folder", [None, 5, b"runs"])
def test_what_is_no_path(task, folder):
    message = f"`folder` must be a path.*`{type(folder).__name__}`"
    for function in (task.save, k2s.tasks.load, task.export):
        with pytest.raises(TypeError, match=message):
            function(folder)


def test_descriptions_of_another_kind(folder):
    describe(folder, optimizer=None)
    with pytest.raises(TypeError, match="`optimizer` must be a `Optimizer`"):
        k2s.tasks.load(folder)
    (folder / DESCRIPTION).write_text("[" * 100_000 + "]" * 100_000)
    with pytest.raises(ValueError, match="`folder` must hold a saved task"):
        k2s.tasks.load(folder)


def test_weights_that_are_none_with_their_hash(folder):
    (folder / WEIGHTS).write_bytes(b"")
    describe(folder, sha256={WEIGHTS: hashlib.sha256(b"").hexdigest()})
    with pytest.raises(ValueError, match=f"{WEIGHTS} must hold the weights"):
        k2s.tasks.load(folder)


@pytest.mark.filterwarnings("ignore:Layer .* does not have a `quantize`")
def test_what_changes_the_variables_of_a_model(tmp_path):
    """Its answers change with it; and a quantized one is not saved."""
    keras.utils.set_random_seed(1)
    task = k2s.tasks.TextToText.from_corpus(
        PAIRS, "luong_2015_small", target_tokenizer="symbol", units=16
    )
    task.save(tmp_path / "task")
    before = task.score(PAIRS)
    task.model.output_layer.enable_lora(2)
    task.compile(keras.optimizers.Adam(0.1))
    task.fit(PAIRS * 8, epochs=2, batch_size=16, num_buckets=1, verbose=0)
    adapted = task.score(PAIRS)
    assert min(np.abs(np.subtract(adapted, before))) > 0.1
    fresh = k2s.tasks.TextToText(
        task.model, task.source_tokenizer, task.target_tokenizer
    )
    np.testing.assert_allclose(adapted, fresh.score(PAIRS), atol=1e-5)

    task = k2s.tasks.load(tmp_path / "task")
    np.testing.assert_allclose(task.score(PAIRS), before, atol=1e-5)
    task.model.quantize("int8")
    quantized = task.score(PAIRS)
    assert 0 < max(np.abs(np.subtract(quantized, before))) < 0.1
    with pytest.raises(ValueError, match="before it is quantized.*is int8"):
        task.save(tmp_path / "task")
    again = k2s.tasks.load(tmp_path / "task")
    np.testing.assert_allclose(again.score(PAIRS), before, atol=1e-5)
