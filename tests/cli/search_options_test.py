import argparse
import types

import pytest

from keras_seq2seq.cli.search_options import add_search
from keras_seq2seq.cli.search_options import search_of
from keras_seq2seq.search import BeamSearch
from keras_seq2seq.text import CharacterTokenizer


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
    parser = argparse.ArgumentParser()
    add_search(parser)
    task = types.SimpleNamespace(
        search=BeamSearch(2, max_length=32),
        target_tokenizer=CharacterTokenizer.from_texts(["ab"]),
    )
    search = search_of(parser.parse_args(line.split()), task)
    assert type(search).__name__ == kind
    assert search.max_length == length
