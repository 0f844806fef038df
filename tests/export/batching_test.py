"""Answers do not depend on the requests that a server merges."""

import pathlib
import re

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from tests.helpers.export.comparing import assert_equal
from tests.helpers.export.comparing import assert_row_equal
from tests.helpers.export.comparing import joined
from tests.helpers.export.comparing import rows_of

if keras.backend.backend() != "tensorflow":
    pytest.skip("exports under TensorFlow", allow_module_level=True)


@pytest.fixture(scope="module")
def parameters(exported):
    """Dict of the numbers and words of the batching parameters."""
    text = pathlib.Path(exported, "batching_params.pbtxt").read_text()
    text = re.sub("#.*", "", text)
    wrapped = re.findall(r"^(\w+) { value: (\w+) }$", text, re.MULTILINE)
    plain = re.findall(r"^(\w+): (\w+)$", text, re.MULTILINE)
    found = dict(wrapped)
    for name, value in plain:
        found.setdefault(name, []).append(value)
    return found


def test_the_parameters_keep_the_servers_rules(parameters):
    sizes = [int(size) for size in parameters["allowed_batch_sizes"]]
    assert sizes == sorted(set(sizes))
    assert sizes[-1] == int(parameters["max_batch_size"])
    assert parameters["pad_variable_length_inputs"] == ["true"]
    assert parameters["enable_large_batch_splitting"] == "false"
    assert parameters.keys() == {
        "max_batch_size",
        "batch_timeout_micros",
        "max_enqueued_batches",
        "num_batch_threads",
        "allowed_batch_sizes",
        "pad_variable_length_inputs",
        "enable_large_batch_splitting",
    }


def test_500_texts_alone_together_shuffled_and_filled_up(serve):
    words = k2s.data.cmudict().test.sources[:500]
    together = serve("greedy", words)
    alone = joined([serve("greedy", [word]) for word in words])
    assert_equal(alone, together)
    order = np.random.default_rng(0).permutation(500)
    shuffled = serve("greedy", [words[place] for place in order])
    assert_equal(shuffled, {n: x[order] for n, x in together.items()})
    filled = serve("greedy", [*words, *words[-1:] * 12])
    assert_equal(rows_of(filled, 500), together)


def test_beams_and_alignments_of_merged_texts(serve):
    words = [*k2s.data.cmudict().test.sources[:30], "", "y" * 100]
    together = serve("n_best", [*words, *words[-1:] * 32])
    for row, word in enumerate(words):
        assert_row_equal(serve("n_best", [word]), together, row)


def test_ids_that_a_server_fills_up(task, serve):
    """It takes the first number of a request to fill its rows up."""
    words = k2s.data.cmudict().test.sources[:20]
    encoded = [task.source_tokenizer.encode(word) for word in words]
    longest = max(map(len, encoded))
    together = serve(
        "token_ids",
        token_ids=np.array(
            [ids + ids[:1] * (longest - len(ids)) for ids in encoded], "int32"
        ),
        lengths=np.array([len(ids) for ids in encoded], "int32"),
    )
    for row, ids in enumerate(encoded):
        alone = serve(
            "token_ids",
            token_ids=np.array([ids], "int32"),
            lengths=np.array([len(ids)], "int32"),
        )
        assert_row_equal(alone, together, row)
