from keras_seq2seq import metrics
from keras_seq2seq.metrics.reads_texts import compares_texts
from keras_seq2seq.metrics.registry import METRICS


def test_which_metrics_compare_texts():
    found = {name for name, metric in METRICS.items() if compares_texts(metric)}
    assert found == {"cer", "exact_match", "bleu", "chrf", "ter"}


def test_decorator():
    def length(references, hypotheses):
        return len(hypotheses)

    assert not compares_texts(length)
    assert metrics.reads_texts(length) is length
    assert compares_texts(length)
