"""Log-probabilities of targets."""

import numpy as np

from keras_seq2seq.data import teacher_forcing
from keras_seq2seq.tasks.hypotheses import crop_scores
from keras_seq2seq.tasks.hypothesis import Hypothesis
from keras_seq2seq.tasks.length_batches import predict_rows


def score_targets(model, rows, targets, batch, *, verbose):
    """Score targets; return a list with a dict of arrays for each pair.

    The last entry of `log_probs` is that of the end token.

    Args:
        model: `ScoringModel`.
        rows: List of encoded sources.
        targets: List of lists of ids, one for each row.
        batch: Function of rows and a length: `batch_sources` of a task.
        verbose: As for `predict_rows`.
    """
    target = model.model.target

    def predict(pairs, bucket):
        sources, targets = zip(*pairs)
        decoder_ids, targets, _ = teacher_forcing(targets, length=bucket[1])
        own = {target.input_name: decoder_ids, "targets": targets}
        return model.predict_on_batch({**batch(sources, bucket[0]), **own})

    results = predict_rows(
        predict,
        list(zip(rows, targets)),
        [(len(row), len(ids) + 1) for row, ids in zip(rows, targets)],
        model=model.model,
        verbose=verbose,
    )
    return [
        {**row, "log_probs": row["log_probs"][: len(ids) + 1]}
        for row, ids in zip(results, targets)
    ]


def create_hypotheses(rows, targets, labels, tokenizer):
    """Create a list with a `Hypothesis` for each scored target.

    Args:
        rows: List from `score_targets`.
        targets: List of strings.
        labels: Iterable of lists of labels of each source's positions.
        tokenizer: `Tokenizer` of the target.
    """
    hypotheses = []
    for row, target, columns in zip(rows, targets, labels):
        tokens, log_probs = tokenizer.tokenize(target), row["log_probs"]
        total = float(np.sum(log_probs))
        scores = crop_scores(row["attention_scores"], len(tokens), len(columns))
        hypotheses.append(
            Hypothesis(target, total, tokens, scores, log_probs, total)
        )
    return hypotheses
