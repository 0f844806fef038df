"""Paired bootstrap resampling.

`COMMAND` has what `sacrebleu REFERENCES -i BASELINE OTHER -m bleu chrf ter
--paired-bs --paired-bs-n 300 -w 4` (2.6.0) prints of these texts in files:
score, mean and half of the interval's width of both, and the p-value.
"""

import functools
import random

import numpy as np
import pytest

from keras_seq2seq import metrics

WORDS = (
    "the a cat dog sat lay on under mat hat red blue big old and saw ran to "
    "from house"
).split()
COMMAND = {
    "bleu": ((50.3391, 49.6373, 12.3814), (43.4178, 43.3006, 11.6694), 0.1362),
    "chrf": ((63.8567, 63.4722, 8.6574), (60.1834, 60.1089, 8.5681), 0.1694),
    "ter": ((26.1780, 26.4503, 7.0278), (28.2723, 28.1752, 6.2960), 0.2027),
}
compare = functools.partial(metrics.paired_bootstrap, num_samples=300)


@functools.cache
def sentences():
    """Lists of words: references, and two systems with errors."""
    draw = random.Random(3)
    references = [
        [draw.choice(WORDS) for _ in range(draw.randint(4, 9))]
        for _ in range(30)
    ]
    systems = [
        [
            [draw.choice(WORDS) if draw.random() < p else w for w in words]
            for words in references
        ]
        for p in (0.35, 0.22)
    ]
    return [references, *systems]


@functools.cache
def texts():
    references, *systems = (
        [" ".join(words) for words in rows] for rows in sentences()
    )
    return [[text] for text in references], *systems


@pytest.fixture(autouse=True)
def seed_of_sacrebleu(monkeypatch):
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)


def ends(mean, half):
    return pytest.approx((mean - half, mean + half), abs=2e-4)


@pytest.mark.parametrize("name", COMMAND)
def test_against_the_command(name):
    pytest.importorskip("sacrebleu")
    baseline, other, p_value = COMMAND[name]
    found = compare(*texts(), metric=name)
    assert isinstance(found, metrics.PairedScores)
    assert found.baseline == pytest.approx(baseline[0], abs=1e-4)
    assert found.other == pytest.approx(other[0], abs=1e-4)
    assert found.p_value == pytest.approx(p_value, abs=1e-4)
    assert found.baseline_interval == ends(*baseline[1:])
    assert found.other_interval == ends(*other[1:])
    assert (found.num_samples, found.seed) == (300, 12345)
    assert "|bs:300|seed:12345|" in found.other.signature


def test_errors_per_word_are_the_edit_rate():
    """These systems shift no phrase: TER is the PER of words."""
    references, baseline, other = sentences()
    found = compare([[x] for x in references], baseline, other, metric="per")
    expected = COMMAND["ter"]
    for score, interval, (rate, *around) in (
        (found.baseline, found.baseline_interval, expected[0]),
        (found.other, found.other_interval, expected[1]),
    ):
        assert 100 * score == pytest.approx(rate, abs=1e-4)
        assert tuple(100 * np.array(interval)) == ends(*around)
    assert found.p_value == pytest.approx(expected[2], abs=1e-4)


@pytest.mark.parametrize("name", ["cer", "exact_match", "rougeL"])
def test_counts_are_the_metric_of_each_sample(name):
    if name == "rougeL":
        pytest.importorskip("rouge_score")
    metric = metrics.get(name)

    @metrics.reads_texts
    def of_ones_own(references, hypotheses):
        return metric(references, hypotheses)

    fast = compare(*texts(), metric=name, num_samples=50)
    slow = compare(*texts(), metric=of_ones_own, num_samples=50)
    assert fast.p_value == slow.p_value
    for field in ("baseline", "other", "baseline_interval", "other_interval"):
        assert getattr(fast, field) == pytest.approx(getattr(slow, field))


def test_by_hand():
    """Three of four sources differ: a sample of none has no difference."""
    references = [[["a"]], [["b"]], [["c"]], [["d"]]]
    baseline, other = [["a"], [], [], []], [["a"], ["b"], ["c"], ["d"]]
    found = compare(references, baseline, other, metric="wer")
    assert (found.baseline, found.other) == (0.75, 0)
    assert found.other_interval == (0, 0)
    draws = np.random.default_rng(12345).choice(4, size=(300, 4))
    differences = (draws > 0).mean(axis=1)
    beyond = np.sum(differences - differences.mean() > 0.75)
    assert found.p_value == (beyond + 1) / 301


@pytest.mark.parametrize("name", ["exact_match", "chrf"])
def test_equal_systems(name):
    if name == "chrf":
        pytest.importorskip("sacrebleu")
    references, baseline, _ = texts()
    found = compare(references, baseline, baseline, metric=name)
    assert found.p_value == 1
    assert found.baseline_interval == found.other_interval


def test_seed(monkeypatch):
    seeds = {}
    for seed in ("12345", "7", "none"):
        monkeypatch.setenv("SACREBLEU_SEED", seed)
        seeds[seed] = compare(*texts(), metric="cer")
    monkeypatch.delenv("SACREBLEU_SEED")
    assert compare(*texts(), metric="cer") == seeds["12345"]
    assert seeds["7"].p_value != seeds["12345"].p_value
    assert (seeds["7"].seed, seeds["none"].seed) == (7, None)


def test_options_of_the_metric():
    pytest.importorskip("sacrebleu")
    found = compare(*texts(), metric="bleu", tokenize="char", num_samples=3)
    assert "|tok:char|" in found.baseline.signature


def test_errors():
    references, baseline, other = texts()
    with pytest.raises(ValueError, match="Received: metric='perplexity'"):
        compare(references, baseline, other, metric="perplexity")
    with pytest.raises(ValueError, match="Received: num_samples=0"):
        compare(references, baseline, other, num_samples=0)
    for name in ("exact_match", "ter"):
        with pytest.raises(ValueError, match=r"len\(hypotheses\)=29"):
            compare(references, baseline, other[1:], metric=name)
