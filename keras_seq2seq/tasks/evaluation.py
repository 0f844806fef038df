"""Metrics of a task on a corpus."""

from keras_seq2seq import metrics as metrics_module
from keras_seq2seq.metrics.reads import LOG_PROBS
from keras_seq2seq.metrics.reads import TEXTS
from keras_seq2seq.metrics.reads import TOKENS
from keras_seq2seq.metrics.reads import get_reads
from keras_seq2seq.tasks.card_facts import summarize
from keras_seq2seq.tasks.encode_texts import encode_texts
from keras_seq2seq.utils.checks import is_collection


def evaluate(task, sources, references, functions, *, generate, verbose):
    """Compute metrics; return a dict of name -> float, and hypotheses.

    References are scored only if a metric needs it.

    Args:
        task: `Task`.
        sources: List of sources.
        references: List with a list of strings for each source.
        functions: Dict of name -> metric, from `metric_functions`.
        generate: Boolean. Whether to generate texts even if no metric needs
            them.
        verbose: As in `task.generate`.
    """
    inputs, best = {}, None
    needed = {*map(get_reads, functions.values())}
    if generate or needed - {LOG_PROBS}:
        tokenizer = task.target_tokenizer
        targets = [text for group in references for text in group]
        encode_texts(tokenizer, targets, "corpus, references")  # warns
        results = task.generate(sources, n_best=1, verbose=verbose)
        best = [hypotheses[0] for hypotheses in results]
        inputs |= compared(references, best, tokenizer)
    if LOG_PROBS in needed:
        scored = score_references(task, sources, references, verbose=verbose)
        inputs[LOG_PROBS] = (scored,)
    rates = {
        name: function(*inputs[get_reads(function)])
        for name, function in functions.items()
    }
    if not task.is_training:  # else of weights that will change
        count = sum(map(len, references))
        task.card.record_evaluation(
            rates,
            data={"sources": len(sources), "references": count},
            search=summarize(task.search) if best else None,
        )
    return rates, best


def score_references(task, sources, references, *, verbose):
    """Log-probabilities of the tokens of each reference of each source."""
    pairs = [
        (source, text)
        for source, group in zip(sources, references)
        for text in group
    ]
    rows = iter(task.score(pairs, per_token=True, verbose=verbose))
    return [[next(rows) for _ in group] for group in references]


def metric_functions(metrics):
    """Dict of name -> function of references and hypotheses."""
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
    return dict(zip(names, map(metrics_module.get, metrics)))


def compared(references, hypotheses, tokenizer):
    """Dict of what a metric reads -> references and hypotheses.

    Args:
        references: List of lists of strings.
        hypotheses: List of `Hypothesis`.
        tokenizer: `Tokenizer` of the target.
    """
    tokens = [
        [tokenizer.tokenize(text) for text in group] for group in references
    ]
    return {
        TOKENS: (tokens, [best.tokens for best in hypotheses]),
        TEXTS: (references, [best.text for best in hypotheses]),
    }
