import json

from keras_seq2seq.cli import command_line
from keras_seq2seq.cli import main


def shown(*arguments):
    with command_line.running(arguments):
        return command_line.shown_command()


def test_absolute_paths_are_shortened():
    command = shown("train", "/home/me/my pairs.tsv", "--out=/home/me/run/")
    assert command == "keras-seq2seq train 'my pairs.tsv' --out=run"
    command = shown("train", "data/pairs.tsv", "--set", "cell=lstm")
    assert command == "keras-seq2seq train data/pairs.tsv --set cell=lstm"
    assert shown("train", "--set", "x=/secret/y") == (
        "keras-seq2seq train --set x=y"
    )


def test_no_command():
    assert command_line.shown_command() is None


def test_in_the_card(tmp_path):
    pairs, folder = tmp_path / "pairs.tsv", tmp_path / "run"
    pairs.write_text("ab\tA B\nb\tB\n")
    small = "--preset luong_2015_small --units 4 --embedding-dim 3 --epochs 1"
    command = ["train", str(pairs), "--out", str(folder), *small.split()]
    assert main.run(command) == 0
    card = json.loads((folder / "card.json").read_text())
    assert card["command"] == (
        f"keras-seq2seq train pairs.tsv --out run {small}"
    )
    assert card["trainings"][0]["data"]["pairs"] == 2
    assert card["trainings"][0]["seed"] == 0
    text = (folder / "README.md").read_text()
    last = f"by `{card['command']}`, its recipe is [recipe.yaml](recipe.yaml)."
    assert last in text and str(tmp_path) not in text
