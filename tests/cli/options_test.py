import argparse

import pytest

from keras_seq2seq.cli.options import add_learning_rate
from keras_seq2seq.cli.options import add_preset
from keras_seq2seq.cli.options import choose_settings
from keras_seq2seq.cli.options import learning_rate
from keras_seq2seq.cli.options import read_lines
from keras_seq2seq.cli.options import seed
from keras_seq2seq.cli.options import setting


def test_a_preset_gets_what_was_given():
    settings = {"units": 4, "embedding_dim": None, "dropout": 0}
    recurrent = choose_settings("luong_2015", **settings)
    assert recurrent == {"units": 4, "dropout": 0}
    former = choose_settings("transformer_2017_small", **settings)
    assert former == {"hidden_dim": 4, "dropout": 0}
    assert choose_settings("cho_2014_small", units=None, dropout=None) == {}


@pytest.mark.parametrize(
    "text, value",
    [
        ("n=2", 2),
        ("n=0.5", 0.5),
        ("n=true", True),
        ("n=null", None),
        ("n=dot", "dot"),
        ("n=a=b", "a=b"),
        ("n=", ""),
    ],
)
def test_a_setting_is_json_or_a_string(text, value):
    name, found = setting(text)
    assert (name, found) == ("n", value) and type(found) is type(value)


def test_a_setting_that_is_nested_too_deep():
    with pytest.raises(argparse.ArgumentTypeError, match="nested.*for cell"):
        setting("cell=" + "[" * 100_000)


@pytest.mark.parametrize("text", ["n", "=2", "a b=2"])
def test_what_is_no_setting(text):
    with pytest.raises(argparse.ArgumentTypeError, match="NAME=VALUE"):
        setting(text)


def test_a_learning_rate_suits_the_preset():
    parser = argparse.ArgumentParser()
    add_preset(parser)
    add_learning_rate(parser, 0.5)

    def rate(line):
        return learning_rate(parser.parse_args(line.split()), 0.5)

    assert rate("") == rate("--preset gnmt_2016") == 0.5
    for preset in ("transformer_2017", "transformer_2017_small", "liu_2018"):
        assert rate(f"--preset {preset}") == 1e-3
        assert rate(f"--preset {preset} --learning-rate 0.02") == 0.02


def test_seeds_are_those_that_numpy_takes():
    assert [seed("0"), seed("4294967295")] == [0, 4294967295]
    for text in ("-1", "4294967296", "1.5", "", "x"):
        with pytest.raises(argparse.ArgumentTypeError, match="from 0 to 4294"):
            seed(text)


@pytest.mark.parametrize(
    ("written", "texts"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n\nb\n", ["a", "", "b"]),
        ("\ufeffa\r\nb", ["a", "b"]),
        ("a\x0cb\x85c\u2028d\ne\n", ["a\x0cb\x85c\u2028d", "e"]),
    ],
)
def test_lines_are_what_newlines_divide(tmp_path, written, texts):
    path = tmp_path / "texts.txt"
    path.write_bytes(written.encode())
    assert read_lines(str(path)) == texts
