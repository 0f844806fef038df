import numpy as np

from keras_seq2seq.models import EncoderModel
from keras_seq2seq.models import ScoringModel
from keras_seq2seq.tasks import evaluation
from keras_seq2seq.tasks import scoring
from keras_seq2seq.tasks.checks import check_pairs
from keras_seq2seq.tasks.encode_texts import encode_texts
from keras_seq2seq.tasks.generating_task import GeneratingTask
from keras_seq2seq.tasks.vectors import vectors
from keras_seq2seq.utils.checks import check_texts


class Task(GeneratingTask):
    """Abstract task: generates texts from sources of any kind.

    A task is a plain object with a Keras model, a tokenizer of the target and a
    search. It can be trained, evaluated, saved and exported, and it generates
    and scores texts. A subclass implements what depends on the kind of source:

    - `read_corpus`, `check_sources`: which arguments users may pass.
    - `encode_source`, `batch_sources`: from sources to the model's inputs.
    - `source_labels`, and optionally `source_words`: labels of a source's
      positions.
    - `served_source`: what requests to a served model hold, by default the
      model's inputs.
    - The constructor, if it has more than these three arguments. Each argument
      is stored as an attribute of the same name, for `get_config`.

    Register your own tasks with `keras.saving.register_keras_serializable`, so
    that `keras_seq2seq.tasks.load` finds them.

    Several threads may use a task at once, each with its own search. During
    training, callbacks may call all methods except `fit`.

    Args:
        model: `Seq2Seq`.
        target_tokenizer: `Tokenizer` of the target.
        search: `Search`, its name or config. Defaults to `None`:
            `BeamSearch(num_beams=5)`, whose `max_length` fits the model's
            positions.
    """

    default_metrics = ("per", "wer")

    def encode(self, sources, *, pooling="final", verbose="auto"):
        """Compute a vector for each source with the encoder.

        Args:
            sources: List of sources.
            pooling: `"final"` for the final hidden state of the encoder's top
                layer, of both directions if bidirectional; or `"mean"` for the
                mean of its outputs, which also works for a Transformer.
                Defaults to `"final"`.
            verbose: As in `generate`.

        Returns:
            Array of shape `(len(sources), dim)`.
        """
        rows = self.encode_source(self.check_sources(sources))
        model = self.cached(
            ("vectors", pooling), lambda: EncoderModel(self.model, pooling)
        )
        return vectors(model, rows, self.batch_sources, verbose=verbose)

    def score(
        self,
        pairs,
        *,
        per_token=False,
        return_attention_scores=False,
        verbose="auto",
    ):
        """Compute the log-probability of targets, including the end token.

        A pair may have at most 4,096 tokens.

        Args:
            pairs: List of pairs of a source and a target string.
            per_token: Boolean. Whether to return the log-probability of each
                token, with the end token last, instead of their sum. Defaults
                to `False`.
            return_attention_scores: As in `generate`.
            verbose: As in `generate`.

        Returns:
            List of floats, or of arrays with `per_token`. With
            `return_attention_scores`, a list of `Hypothesis`, which have both.
        """
        sources, targets = check_pairs(pairs)
        sources = self.check_sources(sources, "pairs, source")
        targets = check_texts(targets, "pairs, target")
        results = scoring.score_targets(
            self.cached(
                ("forced", return_attention_scores),
                lambda: ScoringModel(
                    self.model, return_attention_scores=return_attention_scores
                ),
            ),
            self.encode_source(sources, "pairs, source"),
            encode_texts(self.target_tokenizer, targets, "pairs, target"),
            self.batch_sources,
            verbose=verbose,
        )
        if return_attention_scores:
            labels = map(self.source_labels, sources)
            tokenizer = self.target_tokenizer
            return scoring.create_hypotheses(
                results, targets, labels, tokenizer
            )
        log_probs = [row["log_probs"] for row in results]
        return log_probs if per_token else [float(np.sum(x)) for x in log_probs]

    def evaluate(
        self, corpus, *, metrics=None, return_hypotheses=False, verbose="auto"
    ):
        """Compute metrics of generated texts, or of the references of a corpus.

        Args:
            corpus: Corpus of the task.
            metrics: List of names or functions: `"per"`, errors per token;
                `"wer"`, the fraction of wrong texts; `"cer"`, errors per
                character; `"exact_match"`; `"bleu"`, `"chrf"`, `"ter"`,
                `"rouge1"`, `"rouge2"` and `"rougeL"`, in percent;
                `"perplexity"` per token, for which no text is generated; or
                functions like those in `keras_seq2seq.metrics`. Defaults to
                `None`, the task's `default_metrics`.
            return_hypotheses: Boolean. Whether to return what was generated
                too. Defaults to `False`.
            verbose: As in `generate`.

        Returns:
            Dict of name -> float. Scores in percent have a `signature`. With
            `return_hypotheses`, this dict and a list with a `Hypothesis` for
            each source.
        """
        functions = evaluation.metric_functions(
            self.default_metrics if metrics is None else metrics
        )
        rates, hypotheses = evaluation.evaluate(
            self,
            *self.read_corpus(corpus, "corpus"),
            functions,
            generate=return_hypotheses,
            verbose=verbose,
        )
        return (rates, hypotheses) if return_hypotheses else rates
