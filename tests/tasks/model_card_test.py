import json
import re

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.tasks import ModelCard
from keras_seq2seq.tasks.card_files import read_card

pytestmark = pytest.mark.eager

PAIRS = [("abc", "A B C"), ("ab", "A B"), ("a", "A"), ("c", "C"), ("d", "d")]
SECRET = "hemlock"


def make_task(**settings):
    task = k2s.tasks.TextToText.from_corpus(
        [*PAIRS, (SECRET, SECRET.upper())],
        "luong_2015",
        units=4,
        embedding_dim=3,
        target_tokenizer="symbol",
        **settings,
    )
    task.compile(keras.optimizers.SGD(0.25))
    return task


@pytest.fixture
def trained():
    keras.utils.set_random_seed(7)
    search = k2s.search.BeamSearch(2, max_length=5, length_penalty="avg")
    task = make_task(search=search)
    corpus = k2s.data.ParallelCorpus.from_pairs(PAIRS).filtered()
    task.fit(
        corpus, validation_data=corpus[:1], batch_size=2, epochs=3, verbose=0
    )
    return task


def saved(folder):
    card = json.loads((folder / "card.json").read_text())
    return card, (folder / "README.md").read_text()


def test_what_fit_was_given(trained, tmp_path):
    trained.save(tmp_path / "task")
    card, text = saved(tmp_path / "task")
    (training,) = card["trainings"]
    assert training["data"] == {
        "pairs": 4,
        "too long": 0,
        "filtered, empty": 0,
        "filtered, broken": 0,
        "filtered, copy": 1,
        "filtered, repeated": 0,
        "validation pairs": 1,
        "validation fraction": 0.2,
    }
    settings, results = training["settings"], training["results"]
    assert settings["optimizer"]["class"] == "SGD"
    assert settings["optimizer"]["learning_rate"] == 0.25
    assert settings["batch size"] == 2
    assert settings["backend"] == keras.backend.backend()
    assert (results["epochs"], training["seed"]) == (3, 7)
    assert results["steps"] == int(trained.model.optimizer.iterations) > 3
    assert {"loss", "val_loss", "accuracy", "val_accuracy"} < {*results}
    assert card["model"]["preset"] == "luong_2015"
    assert card["model"]["weights"] == trained.model.count_params()
    assert card["model"]["search"]["num_beams"] == 2
    assert card["model"]["search"]["length_penalty"] == "AvgPenalty"
    assert card["versions"]["keras"] == keras.__version__
    assert card["versions"]["numpy"] == np.__version__
    assert "| pairs | 4 |" in text and "| seed | 7 |" in text
    assert f"| final loss | {results['loss']} |" in text


def test_filters_are_counted_in_a_dataset_too():
    task, pairs = make_task(), [("a", "A"), ("a", "A"), ("b", ""), ("c", "C")]
    corpus = k2s.data.ParallelCorpus.from_pairs(pairs).filtered()
    task.fit(task.batches(corpus, batch_size=2), verbose=0)
    data = task.card.trainings[0]["data"]
    assert data["pairs"] == 2
    assert (data["filtered, repeated"], data["filtered, empty"]) == (1, 1)
    assert "validation pairs" not in data


def test_metrics_and_their_signatures(trained, tmp_path):
    pytest.importorskip("sacrebleu")
    names = ["wer", "chrf", "perplexity"]
    found = trained.evaluate(PAIRS[:3], metrics=names)
    trained.save(tmp_path / "task")
    card, text = saved(tmp_path / "task")
    (entry,) = card["evaluations"]
    assert entry["data"] == {"sources": 3, "references": 3}
    assert entry["search"] == card["model"]["search"]
    for name in names:
        value = entry["metrics"][name]["value"]
        assert value == pytest.approx(found[name], rel=1e-6)
    assert entry["metrics"]["chrf"]["signature"] == found["chrf"].signature
    assert f"| wer | {found['wer']:.2%} | 3 sources" in text
    assert f"| perplexity | {found['perplexity']:.2f} | 3 sources" in text
    assert found["chrf"].signature.replace("|", "\\|") in text


def test_it_survives_save_load_evaluate_save(trained, tmp_path):
    trained.card.description, trained.card.license = "For cards.", "mit"
    trained.save(tmp_path / "task")
    loaded = k2s.tasks.load(tmp_path / "task")
    assert loaded.card == trained.card
    loaded.evaluate(PAIRS[:2], metrics=["wer"])
    loaded.evaluate(PAIRS[:2], metrics=["per"])
    loaded.save(tmp_path / "task")
    card, text = saved(tmp_path / "task")
    assert card["trainings"] == trained.card.trainings
    names = [[*entry["metrics"]] for entry in card["evaluations"]]
    assert names == [["wer"], ["per"]]
    assert "\nFor cards.\n" in text and "\n## License\n\nmit\n" in text
    again = k2s.tasks.load(tmp_path / "task")
    again.fit(PAIRS, batch_size=2, verbose=0)
    assert len(again.card.trainings) == 2
    assert again.card.evaluations == []  # of other weights


def test_an_equal_evaluation_replaces_the_earlier_one():
    card = ModelCard()
    for value, count in ((0.5, 3), (0.25, 3), (0.125, 4)):
        card.record_evaluation({"wer": value}, data={"sources": count})
    values = [x["metrics"]["wer"]["value"] for x in card.evaluations]
    assert values == [0.25, 0.125]


def test_what_is_no_number_is_left_out(trained):
    def texts(references, hypotheses):
        return "".join(map(str, references))

    trained.evaluate(PAIRS, metrics=[texts])
    assert trained.card.evaluations == []
    trained.evaluate(PAIRS, metrics=[texts, "wer"])
    assert [*trained.card.evaluations[0]["metrics"]] == ["wer"]


def test_evaluations_in_training_are_left_out():
    task, seen = make_task(), []
    callback = keras.callbacks.LambdaCallback(
        on_epoch_end=lambda *_: seen.append(task.evaluate(PAIRS[:1]))
    )
    task.fit(PAIRS, callbacks=[callback], verbose=0)
    assert seen and task.card.evaluations == []


def test_no_data_and_no_paths(tmp_path):
    constraints = k2s.search.constraints
    search = k2s.search.BeamSearch(
        2, constraints=[constraints.BannedSequences([[4, 5]])]
    )
    task = make_task(search=search)
    pairs = [*PAIRS, (SECRET, SECRET)]
    task.fit(pairs, verbose=0)
    task.evaluate(pairs)
    task.generate([SECRET])
    task.save(tmp_path / "task")
    for text in map(str, saved(tmp_path / "task")):
        assert "BannedSequences" in text
        assert SECRET not in text.lower()
        assert str(tmp_path) not in text and "/tmp" not in text


def test_an_older_folder_has_none(trained, tmp_path):
    trained.save(tmp_path / "task")
    for name in ("card.json", "README.md"):
        (tmp_path / "task" / name).unlink()
    loaded = k2s.tasks.load(tmp_path / "task")
    assert loaded.card == ModelCard()
    loaded.save(tmp_path / "task")
    assert saved(tmp_path / "task")[0]["trainings"] == []


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"format": 2}',
        '{"format": 1, "trainings": {}}',
        '{"format": 1, "trainings": [{"data": 3}]}',
        '{"format": 1, "license": 3}',
        "[" * 100_000,
    ],
)
def test_damaged_cards(tmp_path, content):
    (tmp_path / "card.json").write_text(content)
    with pytest.warns(UserWarning, match="card.json cannot be read"):
        assert read_card(tmp_path) == ModelCard()


def test_a_damaged_card_is_a_warning(trained, tmp_path):
    trained.save(tmp_path / "task")
    (tmp_path / "task" / "card.json").write_text("{")
    with pytest.warns(UserWarning, match="card.json cannot be read"):
        loaded = k2s.tasks.load(tmp_path / "task")
    assert loaded.card == ModelCard()
    assert len(loaded.generate(["ab"])) == 1


def test_strange_entries_of_a_card_are_shown():
    card = {
        "format": 1,
        "model": {"class": ["x"], "weights": {"class": 3}},
        "trainings": [{"results": {"loss": "inf|<b>"}}],
        "evaluations": [{"metrics": {"a": 1, "b`\n": {"value": "y"}}}],
    }
    text = ModelCard.from_json(json.dumps(card)).to_markdown('a"\n`b')
    assert "| final loss | inf\\|&lt;b> |" in text
    assert "| b' | y |" in text
    assert 'load("a\\"\\n`b")' in text


def test_a_readme_that_was_edited_is_kept(trained, tmp_path):
    folder = tmp_path / "task"
    trained.save(folder)
    first = (folder / "README.md").read_text()
    trained.card.description = "New."
    trained.save(folder)
    assert "\nNew.\n" in (folder / "README.md").read_text()
    (folder / "README.md").write_text("Mine.\n")
    for _ in range(2):
        trained.save(folder)
        card, text = saved(folder)
        assert text == "Mine.\n" and card["description"] == "New."
    (folder / "README.md").unlink()
    trained.save(folder)
    assert "\nNew.\n" in (folder / "README.md").read_text() != first


@pytest.mark.parametrize("name", ["README.md", "card.json"])
def test_a_readme_without_a_task_is_not_replaced(trained, tmp_path, name):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / name).write_text("mine")
    with pytest.raises(FileExistsError, match="something else"):
        trained.save(tmp_path / "mine")
    assert (tmp_path / "mine" / name).read_text() == "mine"


@pytest.mark.filterwarnings("ignore:At most 10% of the tokens")
def test_the_example_of_use_runs(trained, tmp_path, monkeypatch, capsys):
    trained.save(tmp_path / "task")
    _, text = saved(tmp_path / "task")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(code.splitlines()) == 3
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    expected = k2s.tasks.load("task").generate(["a text"])
    assert capsys.readouterr().out == f"{expected}\n"


def test_metadata_in_front_is_yaml():
    yaml = pytest.importorskip("yaml")
    card = ModelCard(license='own: "x"\n# y')
    card.model = {"preset": "luong_2015"}
    front = card.to_markdown("a").split("---\n")[1]
    assert yaml.safe_load(front) == {
        "library_name": "keras_seq2seq",
        "license": 'own: "x"\n# y',
        "tags": ["keras", "seq2seq", "luong_2015"],
    }


def test_other_tasks(tmp_path):
    task = k2s.tasks.TextCompletion.from_texts(
        ["abc"], "zaremba_2014", units=4, embedding_dim=3
    )
    task.evaluate(["abc", "ab"])
    task.save(tmp_path / "names")
    card, text = saved(tmp_path / "names")
    assert card["evaluations"][0]["data"]["sources"] == 2
    assert card["evaluations"][0]["search"] is None
    assert 'generate(["a beginning"])' in text
    assert card["model"]["tokenizer"] == "CharacterTokenizer, 7 tokens"
