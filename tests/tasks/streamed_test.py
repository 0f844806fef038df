"""Tasks of corpora that are read anew each time."""

import numpy as np
import pytest

from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.data import StreamedCorpus
from keras_seq2seq.tasks import TextCompletion
from keras_seq2seq.tasks import TextToText

PAIRS = [("ab", "A B"), ("b", "B"), ("ba", "B A"), ("aab", "A A B")] * 3
SETTINGS = {
    "preset": "luong_2015_small",
    "units": 4,
    "embedding_dim": 4,
    "num_layers": 1,
    "target_tokenizer": "symbol",
}


@pytest.fixture(scope="module")
def task():
    corpus = StreamedCorpus.from_pairs(PAIRS)
    return TextToText.from_corpus(corpus, **SETTINGS)


def batches_of(task, corpus, **options):
    dataset = task.batches(corpus, seed=1, **options)
    return [dataset[i] for i in range(len(dataset))]


def check_equal(batches, expected):
    assert len(batches) == len(expected)
    for (inputs, *rest), (inputs_too, *rest_too) in zip(batches, expected):
        for name, value in inputs_too.items():
            np.testing.assert_array_equal(inputs[name], value)
        for value, value_too in zip(rest, rest_too):
            np.testing.assert_array_equal(value, value_too)


def test_tokenizers_as_in_memory(task):
    expected = TextToText.from_corpus(PAIRS, **SETTINGS)
    for side in ("source_tokenizer", "target_tokenizer"):
        ours, theirs = getattr(task, side), getattr(expected, side)
        assert ours.vocabulary.tokens == theirs.vocabulary.tokens


@pytest.mark.parametrize("sizes", [{"batch_size": 4}, {"tokens_per_batch": 20}])
def test_batches_as_in_memory(task, tmp_path, sizes):
    path = tmp_path / "pairs.tsv"
    pairs = sorted(PAIRS)  # as they are when equal sources are grouped
    path.write_text("".join(f"{s}\t{t}\n" for s, t in pairs))
    streamed = StreamedCorpus.from_tsv(path)
    expected = batches_of(task, ParallelCorpus.from_pairs(pairs), **sizes)
    for folder in (None, tmp_path / "cache", tmp_path / "cache"):
        options = {**sizes, "cache_folder": folder}
        check_equal(batches_of(task, streamed, **options), expected)
    encoded = task.encode_corpus(streamed, cache_folder=tmp_path / "cache")
    check_equal(batches_of(task, encoded, **sizes), expected)


@pytest.mark.eager
def test_fit_and_evaluate(task):
    splits = StreamedCorpus.from_pairs(PAIRS).split(validation=0.3, test=0)
    task.compile()
    history = task.fit(
        splits.train,
        validation_data=splits.validation,
        tokens_per_batch=30,
        num_buckets=1,
        verbose=0,
    )
    assert np.isfinite(history.history["val_loss"]).all()
    assert task.evaluate(splits.validation)["per"] >= 0


def test_errors(task, tmp_path):
    with pytest.raises(TypeError, match="`cache_folder` needs a `StreamedCor"):
        task.batches(PAIRS, cache_folder=tmp_path)
    with pytest.raises(ValueError, match="Either `batch_size` or `tokens_per"):
        task.batches(PAIRS, batch_size=2, tokens_per_batch=2)
    model = TextCompletion.from_texts(
        ["ab"], "zaremba_2014", units=4, embedding_dim=3
    )
    with pytest.raises(TypeError, match="`StreamedCorpus` for a `TextCompl"):
        model.batches(StreamedCorpus.from_pairs(PAIRS))
