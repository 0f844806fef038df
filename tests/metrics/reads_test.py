from keras_seq2seq import metrics
from keras_seq2seq.metrics.reads import get_reads
from keras_seq2seq.metrics.registry import METRICS


def test_what_metrics_read():
    found = {}
    for name, metric in METRICS.items():
        found.setdefault(get_reads(metric), set()).add(name)
    rouge = {"rouge1", "rouge2", "rougeL"}
    assert found == {
        "tokens": {"per", "wer"},
        "texts": {"cer", "exact_match", "bleu", "chrf", "ter", *rouge},
        "log_probs": {"perplexity"},
    }


def test_decorators():
    def length(references, hypotheses):
        return len(hypotheses)

    assert get_reads(length) == "tokens"
    assert metrics.reads_texts(length) is length
    assert get_reads(length) == "texts"
    assert metrics.reads_log_probs(length) is length
    assert get_reads(length) == "log_probs"
