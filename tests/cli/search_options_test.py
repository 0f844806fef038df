import argparse
import types

import pytest

from keras_seq2seq.cli.search_options import add_search
from keras_seq2seq.cli.search_options import make_search
from keras_seq2seq.search import BeamSearch
from keras_seq2seq.text import CharacterTokenizer


def chosen(line):
    """The search of a command line, of a task that has its own."""
    parser = argparse.ArgumentParser()
    add_search(parser)
    task = types.SimpleNamespace(
        search=BeamSearch(2, max_length=32),
        target_tokenizer=CharacterTokenizer.from_texts(["ab"]),
    )
    return make_search(parser.parse_args(line.split()), task)


@pytest.mark.parametrize(
    "line, kind, length",
    [
        ("", "BeamSearch", 32),
        ("--search greedy", "GreedySearch", 32),
        ("--search sampling --max-length 9", "Sampling", 9),
        ("--max-length 200", "BeamSearch", 200),
    ],
)
def test_as_long_as_the_search_of_the_task(line, kind, length):
    search = chosen(line)
    assert type(search).__name__ == kind
    assert search.max_length == length


@pytest.mark.parametrize("option", ["--max-length", "--num-beams"])
def test_sizes_that_eat_the_machine(option):
    name = option[2:].replace("-", "_")
    with pytest.raises(ValueError, match=f"`{name}`.*16,777,216.*=1000000000"):
        chosen(f"{option} 1000000000")
