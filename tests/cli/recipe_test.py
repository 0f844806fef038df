"""Recipes: files with the flags of `train`."""

import argparse

import numpy as np
import pytest
import yaml

from keras_seq2seq import tasks
from keras_seq2seq.cli import main
from keras_seq2seq.cli import train_data
from keras_seq2seq.cli.recipe_file import read_recipe
from keras_seq2seq.cli.recipe_flags import add_flags
from keras_seq2seq.cli.recipe_flags import explain
from keras_seq2seq.cli.recipe_flags import given_keys
from keras_seq2seq.cli.recipe_keys import Recipe
from keras_seq2seq.cli.recipe_keys import make_recipe
from keras_seq2seq.cli.train_data import choose_tokenizers

SMALL = {
    "preset": "luong_2015_small",
    "units": 4,
    "embedding_dim": 4,
    "num_layers": 1,
    "settings": {"score": "dot"},
    "target_tokenizer": "symbol",
    "keep": [],
    "tokens_per_batch": 60,
    "epochs": 1,
    "num_buckets": 1,
    "optimizer": False,
    "num_beams": 2,
    "seed": 3,
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pairs = [(a + b, f"{a.upper()} {b.upper()}") for a in "abc" for b in "def"]
    pairs += [("ad", "A D"), ("", "Z"), ("x" * 9, "X")]
    for side, texts in zip(("en", "it"), zip(*pairs)):
        (tmp_path / f"train.{side}").write_text("\n".join(texts) + "\n")
    keys = {**SMALL, "source": "train.en", "target": "train.it"}
    keys |= {"max_length": 5, "out": "runs/recipe"}
    (tmp_path / "small.yaml").write_text(yaml.safe_dump(keys))
    return tmp_path


def weights(folder):
    return tasks.load(folder).model.get_weights()


@pytest.mark.eager
def test_recipe_flags_and_python_train_the_same(folder, capsys):
    assert main.run(["train", "small.yaml"]) == 0
    output = capsys.readouterr().out
    assert "Left out: 1 empty, 1 long, 1 repeated" in output
    assert "9 pairs, " in output and " batches of 1 shapes" in output
    flags = "--source train.en --target train.it --max-length 5 --units 4 "
    flags += "--preset luong_2015_small --embedding-dim 4 --num-layers 1 "
    flags += "--set score=dot --target-tokenizer symbol --num-beams 2 --keep "
    flags += "--tokens-per-batch 60 --epochs 1 --num-buckets 1 --no-optimizer "
    flags += "--seed 3 --out runs/flags"
    assert main.run(["train", *flags.split()]) == 0
    for x, y in zip(weights("runs/recipe"), weights("runs/flags")):
        np.testing.assert_array_equal(x, y)
    task = tasks.load("runs/recipe")
    assert task.search.num_beams == 2
    assert task.source_tokenizer.vocabulary.tokens == tuple("xabcdef")


@pytest.mark.eager
def test_the_folder_keeps_its_recipe(folder, capsys):
    assert main.run(["train", "small.yaml"]) == 0
    saved = yaml.safe_load((folder / "runs/recipe/recipe.yaml").read_text())
    assert saved == {
        **SMALL,
        "source": ["train.en"],
        "target": ["train.it"],
        "max_length": 5,
    }
    before = (folder / "runs/recipe/keras_seq2seq.json").read_bytes()
    other = ["train", "small.yaml", "--units", "5"]
    assert main.run(other) == 2
    assert "a task of another recipe" in capsys.readouterr().err
    after = (folder / "runs/recipe/keras_seq2seq.json").read_bytes()
    assert after == before
    assert main.run(["train", "small.yaml"]) == 0  # the same once more
    assert main.run([*other, "--overwrite"]) == 0
    assert tasks.load("runs/recipe").card.recipe["units"] == 5


def test_flags_are_the_keys():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", nargs="?")
    add_flags(parser, "corpus", "settings")
    flags = {action.dest for action in parser._actions}
    assert flags - {"help"} == Recipe.model_fields.keys()
    assert given_keys(parser.parse_args([])) == {}
    arguments = "x.tsv --epochs 2 --set a=1 --no-optimizer --joint-vocabulary"
    assert given_keys(parser.parse_args(arguments.split())) == {
        "corpus": "x.tsv",
        "epochs": 2.0,
        "settings": {"a": 1},
        "optimizer": False,
        "joint_vocabulary": True,
    }
    names = [line.split(" [")[0] for line in explain().splitlines()[::2]]
    assert names == [*Recipe.model_fields]


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"max_lenght": 3}, "Received: max_lenght. Did you mean max_length?"),
        ({"shy": 3}, "Received: shy. Remove it."),
        ({"epochs": "3"}, "`epochs` .* valid number.* epochs='3'"),
        ({"epochs": 0}, "`epochs` .* greater than 0.* epochs=0"),
        ({"units": 2.5}, "`units` .* valid integer.* units=2.5"),
        ({"keep": "copy"}, "`keep` .* valid list"),
        ({"preset": "luong_2051"}, "preset='luong_2051'. Did you mean luong_"),
        ({"keep": ["copie"]}, "keep='copie'. Did you mean copy?"),
        ({"source_tokenizer": "words"}, "='words'. Did you mean word?"),
        ({"length_penalty": "wuu"}, "`length_penalty` must be one of"),
        ({"dtype_policy": "float17"}, "Cannot convert 'float17'"),
        ({"source_tokenizer": False}, "=False. Put the text in quotes."),
        ({"units": "4"}, "units='4'. Leave out the quotes."),
    ],
)
def test_wrong_keys(keys, problem):
    with pytest.raises(ValueError, match=problem):
        make_recipe(keys)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("epochs: 3\n- a", "YAML.*my.yaml, line 2"),
        ("just words", "of type str"),
        ("# nothing", "which is empty"),
        ("units: 3\nepochs: 2\nunits: 4", "line 3: a key that is there twice"),
        ("settings: {a: 1, a: 2}", "line 1: a key that is there twice"),
        ("keep: &a [copy]\nsettings: *a", "line 2: an alias"),
        ("settings: &a [*a]", "line 1: an alias"),
        ("x: " + 5000 * "[", "my.yaml: nested too deeply"),
        ("x: \0", "my.yaml: not YAML"),
        ("!!python/object/apply:os.getcwd []", "must be YAML"),
    ],
)
def test_what_is_no_recipe(tmp_path, text, problem):
    (tmp_path / "my.yaml").write_text(text)
    with pytest.raises(ValueError, match=problem):
        read_recipe(tmp_path / "my.yaml")


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"source": ["a"]}, "Pairs must be in `corpus`, one file, or in"),
        ({"corpus": "a", "source": ["a"], "target": ["b"]}, "Pairs must be"),
        ({}, "Pairs must be in `corpus`"),
        ({"validation_source": ["a"]}, "Pairs must be in `--validation`"),
        (
            {"validation": "train.tsv", "validation_fraction": 0.1},
            "Give one of them",
        ),
        ({"vocabulary_size": 9, "batch_size": 2}, "Either `--batch-size` or"),
        ({"out": None}, "`--out`, the folder to save the task in"),
    ],
)
def test_recipes_that_cannot_be(folder, capsys, keys, problem):
    (folder / "train.tsv").write_text("a\tB\n")
    recipe = {**SMALL, "out": "runs/x", **keys}
    if "validation_source" in keys or "out" in keys or len(keys) > 1:
        recipe = {"corpus": "train.tsv", **recipe}
    (folder / "my.yaml").write_text(yaml.safe_dump(recipe))
    assert main.run(["train", "my.yaml"]) == 2
    assert problem in capsys.readouterr().err
    assert not (folder / "runs").exists()


def test_the_command_recipe(folder, capsys):
    assert main.run(["recipe"]) == 0
    assert "tokens_per_batch\n    largest number" in capsys.readouterr().out
    assert main.run(["recipe", "small.yaml"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "units: 4" in lines and "warmup_steps: 0" in lines
    (folder / "wrong.yaml").write_text("epoch: 3")
    assert main.run(["recipe", "wrong.yaml"]) == 2
    assert "Did you mean epochs?" in capsys.readouterr().err


def test_files_that_are_no_recipe(tmp_path):
    (tmp_path / "my.yaml").write_bytes("corpus: é\n".encode("latin1"))
    with pytest.raises(ValueError, match="my.yaml: not UTF-8 at byte 8"):
        read_recipe(tmp_path / "my.yaml")
    with pytest.raises(OSError, match="which is a folder"):
        read_recipe(tmp_path)
    with pytest.raises(OSError, match="which does not exist"):
        read_recipe(tmp_path / "none.yaml")


@pytest.mark.parametrize("text", ["1e-3", "1E-3", "1.0e-3", "0.001", "+.1e-2"])
def test_numbers_with_an_exponent(tmp_path, text):
    (tmp_path / "my.yaml").write_text(f"learning_rate: {text}\n")
    keys = read_recipe(tmp_path / "my.yaml")
    assert make_recipe(keys).learning_rate == 1e-3


@pytest.mark.parametrize(
    ("fraction", "name"), [("1e-9", "validation"), ("0.999999", "train")]
)
def test_a_fraction_that_leaves_nothing(folder, capsys, fraction, name):
    given = ["--validation-fraction", fraction]
    assert main.run(["train", "small.yaml", *given]) == 2
    problem = capsys.readouterr().err
    assert "`--validation-fraction` must leave pairs" in problem
    assert f"with which no pair is for {name}." in problem


@pytest.mark.eager
def test_pairs_to_validate_with_are_counted(folder, capsys):
    given = ["--validation-source", "train.en", "--validation-target"]
    assert main.run(["train", "small.yaml", *given, "train.it"]) == 0
    assert "\n12 pairs to validate with\n" in capsys.readouterr().out


def test_a_flag_is_named_as_it_is_given(folder, capsys):
    other = ["--source-tokenizer", "word", "--joint-vocabulary"]
    assert main.run(["train", "small.yaml", *other]) == 2
    assert "error: `--joint-vocabulary` needs" in capsys.readouterr().err


def test_one_tokenizer_is_meant_for_both_sides(folder, monkeypatch):
    given = {"source_tokenizer": "word", "joint_vocabulary": True}
    assert choose_tokenizers(make_recipe(given)) == given
    both = {**given, "target_tokenizer": "symbol"}
    assert choose_tokenizers(make_recipe(both)) == both
    neither = choose_tokenizers(make_recipe({"joint_vocabulary": True}))
    assert neither["source_tokenizer"] == neither["target_tokenizer"]
    monkeypatch.setattr(train_data, "read_tokenizer", lambda name: [name])
    files = {**given, "source_tokenizer": "x.model"}
    files["target_tokenizer"] = "x.model"
    chosen = choose_tokenizers(make_recipe(files))
    assert chosen["source_tokenizer"] is chosen["target_tokenizer"]
