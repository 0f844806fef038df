"""How a corpus is cut into batches changes no perplexity, and no batch."""

import keras
import numpy as np
import pytest

from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.data import StreamedCorpus
from keras_seq2seq.metrics import Perplexity
from keras_seq2seq.tasks import TextToText

DRAWS = np.random.default_rng(5)
WORDS = ["".join(DRAWS.choice([*"abcd"], n)) for n in DRAWS.integers(0, 9, 30)]
PAIRS = [(word, " ".join(word.upper()[::2])) for word in WORDS]


@pytest.fixture(scope="module")
def task():
    task = TextToText.from_corpus(
        PAIRS,
        "luong_2015",
        units=4,
        embedding_dim=4,
        num_layers=1,
        target_tokenizer="symbol",
    )
    weights = task.model.get_weights()
    draws = np.random.default_rng(6)
    task.model.set_weights([draws.normal(size=x.shape) for x in weights])
    task.compile(weighted_metrics=[Perplexity()])
    return task


@pytest.fixture(scope="module")
def expected(task):
    """Perplexity, pair by pair and unpadded."""
    dataset = task.batches(PAIRS, batch_size=1, num_buckets=99, shuffle=False)
    loss = count = 0
    for inputs, targets, weights in dataset:
        logits = keras.ops.convert_to_numpy(task.model(inputs))[0]
        logits -= logits.max(-1, keepdims=True)
        logs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
        target = targets[0][weights[0] > 0]
        logs = logs[: len(target)]
        loss -= logs[np.arange(len(target)), target].sum()
        count += len(target)
    return np.exp(loss / count)


@pytest.mark.eager
@pytest.mark.parametrize(
    "sizes",
    [
        {"batch_size": 7, "num_buckets": 1},
        {"batch_size": 64, "num_buckets": 3},
        {"tokens_per_batch": 1, "num_buckets": 2},
        {"tokens_per_batch": 100, "num_buckets": 4},
        {"tokens_per_batch": 60, "shuffle": True, "seed": 1},
        {"tokens_per_batch": 60, "shuffle": True, "seed": 2},
    ],
)
def test_batches_do_not_change_the_perplexity(task, expected, sizes):
    dataset = task.batches(PAIRS, **{"shuffle": False, **sizes})
    found = task.model.evaluate(dataset, return_dict=True, verbose=0)
    np.testing.assert_allclose(found["perplexity"], expected, rtol=1e-5)


def test_a_streamed_corpus_makes_the_batches_of_one_in_memory(task, tmp_path):
    path = tmp_path / "pairs.tsv"
    # Equal sources are neighbors in memory: only then is the order the same.
    pairs = [*ParallelCorpus.from_pairs(PAIRS).pairs()]
    path.write_text("".join(f"{s}\t{t}\n" for s, t in pairs))
    limits = {"max_length": 6, "max_ratio": 2, "keep": ["repeated"]}
    both = [
        kind.from_tsv(path, target_tokenizer="symbol").filtered(**limits)
        for kind in (ParallelCorpus, StreamedCorpus)
    ]
    options = {"tokens_per_batch": 40, "num_buckets": 3, "seed": 4}
    for corpora in (both, [x.split(validation=0.3).train for x in both]):
        one, other = (task.batches(x, **options) for x in corpora)
        assert len(one) == len(other) > 2
        for x, y in zip(one, other):
            assert x[0].keys() == y[0].keys()
            for a, b in zip([*x[0].values(), *x[1:]], [*y[0].values(), *y[1:]]):
                np.testing.assert_array_equal(a, b)
    in_memory, streamed = both
    encoded = task.encode_corpus(streamed)
    assert encoded.left_out == in_memory.left_out
    assert encoded.left_out["long"] and encoded.left_out["empty"]
