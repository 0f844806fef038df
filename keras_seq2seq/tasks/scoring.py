"""What a task says of given targets: log-probabilities, and metrics."""

import numpy as np

from keras_seq2seq import metrics as metrics_module
from keras_seq2seq.data import pad_token_ids
from keras_seq2seq.data import teacher_forcing
from keras_seq2seq.models import ForcedModel
from keras_seq2seq.tasks.answers import cut_scores
from keras_seq2seq.tasks.checks import is_collection
from keras_seq2seq.tasks.encoded import encoded
from keras_seq2seq.tasks.hypothesis import Hypothesis
from keras_seq2seq.tasks.length_batches import predict_rows


def log_probs(task, pairs, *, verbose):
    """List of arrays: of the tokens of each target, the end token last."""
    return [row["log_probs"] for row in _rows(task, pairs, False, verbose)]


def hypotheses(task, pairs, return_attention_scores, *, verbose):
    """List of `Hypothesis`: each target, as the model reads it."""
    rows = _rows(task, pairs, return_attention_scores, verbose)
    found = []
    for (source, target), row in zip(pairs, rows):
        tokens = task.target_tokenizer.tokenize(target)
        total = float(np.sum(row["log_probs"]))
        scores = cut_scores(
            row["attention_scores"],
            len(tokens),
            len(task.source_tokens(source)),
        )
        found.append(
            Hypothesis(target, total, tokens, scores, row["log_probs"], total)
        )
    return found


def _rows(task, pairs, return_attention_scores, verbose):
    """List of dicts of arrays, of a `ForcedModel`; `log_probs` are cut."""
    sources, targets = zip(*pairs) if pairs else ((), ())
    rows = [
        *zip(
            encoded(task.source_tokenizer, sources, "pairs, source"),
            encoded(task.target_tokenizer, targets, "pairs, target"),
        )
    ]
    model = task.made_once(
        ("forced", return_attention_scores),
        lambda: ForcedModel(
            task.model, return_attention_scores=return_attention_scores
        ),
    )

    def answer(rows, bucket):
        sources, targets = zip(*rows)
        decoder_ids, targets, _ = teacher_forcing(targets, length=bucket[1])
        return model.predict_on_batch(
            {
                task.model.source.input_name: pad_token_ids(
                    sources, length=bucket[0]
                ),
                "decoder_token_ids": decoder_ids,
                "targets": targets,
            }
        )

    found = predict_rows(
        answer,
        rows,
        [(len(source), len(target) + 1) for source, target in rows],
        model=task.model,
        verbose=verbose,
    )
    return [
        {**row, "log_probs": row["log_probs"][: len(target) + 1]}
        for row, (_, target) in zip(found, rows)
    ]


def measured(task, corpus, metrics, *, verbose):
    """Dict of name -> metric of the answers against all references."""
    if not is_collection(metrics):
        raise TypeError(
            "`metrics` must be a list of names. Received: "
            f"metrics={metrics!r}. Put a single name into a list."
        )
    names = [getattr(metric, "__name__", metric) for metric in metrics]
    if len({*names}) < len(names):
        raise ValueError(
            f"`metrics` must have different names. Received: {names}. A "
            "function's name is its `__name__`."
        )
    functions = dict(zip(names, map(metrics_module.get, metrics)))
    tokenize = task.target_tokenizer.tokenize
    targets = [text for group in corpus.references for text in group]
    encoded(task.target_tokenizer, targets, "corpus, references")
    references = [
        [tokenize(text) for text in group] for group in corpus.references
    ]
    found = task.generate(corpus.sources, n_best=1, verbose=verbose)
    hypotheses = [best[0].tokens for best in found]
    return {
        name: function(references, hypotheses)
        for name, function in functions.items()
    }
