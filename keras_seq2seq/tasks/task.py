import numpy as np

from keras_seq2seq.models import EncoderModel
from keras_seq2seq.models import InferenceModel
from keras_seq2seq.models import ScoringModel
from keras_seq2seq.tasks import generation
from keras_seq2seq.tasks import scoring
from keras_seq2seq.tasks.answers import hypotheses_of
from keras_seq2seq.tasks.checks import check_pairs
from keras_seq2seq.tasks.encoded import encoded
from keras_seq2seq.tasks.row_inputs import row_inputs
from keras_seq2seq.tasks.trainable_task import TrainableTask
from keras_seq2seq.tasks.vectors import vectors
from keras_seq2seq.utils.checks import check_texts
from keras_seq2seq.utils.checks import check_type


class Task(TrainableTask):
    """Abstract task: from sources of any kind to texts.

    A plain object around a Keras model, a tokenizer of the target and a
    search. It trains, answers, judges, measures, saves and exports; what
    belongs to one kind of source a subclass fills in:

    - `read_corpus`, `check_sources`: what users may hand over.
    - `encode_source`, `batch_sources`: from sources to the model's inputs.
    - `source_labels`, and `source_words` where there are any: what the
      positions of a source are called.
    - `served_source`: what requests to a served model hold, by default the
      model's inputs.
    - the constructor, where it has more parts than these three. Each argument
      is kept as an attribute of its name, for `get_config`.

    Register a task of your own with
    `keras.saving.register_keras_serializable`, for `keras_seq2seq.tasks.load`.

    Several threads may ask one task at once, each with a search of its own.
    While a task trains, its callbacks may call all methods but `fit`.

    Args:
        model: `Seq2Seq`.
        target_tokenizer: `Tokenizer` of the target.
        search: `Search`, its name or config. Defaults to `None`:
            `BeamSearch(num_beams=5)`, whose `max_length` fits the model's
            positions.
    """

    default_metrics = ("per", "wer")

    def generate(
        self,
        sources,
        *,
        search=None,
        n_best=None,
        prefixes=None,
        banned=None,
        seed=None,
        replace_unknown=False,
        return_attention_scores=False,
        verbose="auto",
        **inputs,
    ):
        """Answers to a list of sources, in their order.

        An empty source, unknown tokens and long sources are answered as the
        model sees fit; each result is finite. More than a tenth of unknown
        tokens is a warning, a source of more than 16,384 positions an error.

        Args:
            sources: List of sources.
            search: `Search`, its name or config. Defaults to `None`: the
                task's own.
            n_best: Integer. Number of hypotheses a source. Defaults to `None`:
                the best, as a string.
            prefixes: List of strings, one a source, or one for all: what an
                answer begins with. Defaults to `None`.
            banned: List of lists of tokens, one a source, or one list for all:
                what does not occur in an answer. Defaults to `None`.
            seed: Integer, for a search that draws at random: the first source
                has this seed, the next the next; or a list, one a source.
                Defaults to `None`, a seed of NumPy's.
            replace_unknown: Boolean. Whether the word (or character) of the
                source that was attended to most, as it was written, takes the
                place of an unknown token. Defaults to `False`.
            return_attention_scores: Boolean, or `"by_layer"` for those of
                each layer and head, self-attention too. Defaults to `False`.
            verbose: Boolean or `"auto"`: whether to show progress, `"auto"`
                for long input.
            **inputs: What else the search asks for (`SearchInput`): a value
                for all sources, or a list, one a source.

        Returns:
            List of strings; or, where `n_best` or the attention scores are
            asked for, list of lists of `Hypothesis`, best first.
        """
        sources, tokenizer = self.check_sources(sources), self.target_tokenizer
        inputs |= {"prefixes": prefixes, "banned": banned, "seed": seed}
        search = generation.chosen_search(
            self.search if search is None else search, n_best, **inputs
        )
        words = [None] * len(sources)
        if check_type(replace_unknown, "replace_unknown", bool):
            words = self.source_words(sources)
        found = generation.answers(
            self._inference(search, return_attention_scores or replace_unknown),
            self.encode_source(sources),
            self.batch_sources,
            row_inputs(search, len(sources), tokenizer, **inputs),
            verbose=verbose,
        )
        found = [
            hypotheses_of(
                row, self.source_labels(source), tokenizer, words=copied
            )
            for row, source, copied in zip(found, sources, words)
        ]
        if n_best is None and not return_attention_scores:
            return [hypotheses[0].text for hypotheses in found]
        return found

    def _inference(self, search, return_attention_scores):
        """The compiled model of a search."""
        vocabulary = self.target_tokenizer.vocabulary
        return self.cached(
            (type(search), repr(search.get_config()), return_attention_scores),
            lambda: InferenceModel(
                self.model,
                search,
                start_token_id=vocabulary.start_token_id,
                end_token_id=vocabulary.end_token_id,
                return_attention_scores=return_attention_scores,
                return_log_probs=True,
            ),
        )

    def encode(self, sources, *, pooling="final", verbose="auto"):
        """One vector for each source, from the encoder.

        Args:
            sources: List of sources.
            pooling: `"final"`, the final hidden state of the encoder's top
                layer, in both directions where it has two; or `"mean"`, the
                mean of its outputs, for a Transformer too. Defaults to
                `"final"`.
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
        """Log-probability of each given target, the end token counted.

        A pair may have 4,096 tokens in all.

        Args:
            pairs: List of pairs of a source and a string, the target.
            per_token: Boolean. Whether to give the log-probability of each
                token, the end token last. Defaults to `False`: their sum.
            return_attention_scores: As in `generate`.
            verbose: As in `generate`.

        Returns:
            List of floats, or of arrays; or, where the attention scores are
            asked for, of `Hypothesis`, which hold all of these.
        """
        sources, targets = check_pairs(pairs)
        sources = self.check_sources(sources, "pairs, source")
        targets = check_texts(targets, "pairs, target")
        found = scoring.forced(
            self.cached(
                ("forced", return_attention_scores),
                lambda: ScoringModel(
                    self.model, return_attention_scores=return_attention_scores
                ),
            ),
            self.encode_source(sources, "pairs, source"),
            encoded(self.target_tokenizer, targets, "pairs, target"),
            self.batch_sources,
            verbose=verbose,
        )
        if return_attention_scores:
            labels = map(self.source_labels, sources)
            tokenizer = self.target_tokenizer
            return scoring.hypotheses(found, targets, labels, tokenizer)
        log_probs = [row["log_probs"] for row in found]
        return log_probs if per_token else [float(np.sum(x)) for x in log_probs]

    def evaluate(self, corpus, *, metrics=None, verbose="auto"):
        """Metrics of the search's answers against all references.

        Args:
            corpus: Corpus of the task.
            metrics: List of names: `"per"`, errors per token, and `"wer"`, the
                share of wrong answers; or functions like those of
                `keras_seq2seq.metrics`. Defaults to `None`, the task's
                `default_metrics`.
            verbose: As in `generate`.

        Returns:
            Dict of name -> float.
        """
        sources, references = self.read_corpus(corpus, "corpus")
        functions = scoring.metric_functions(
            self.default_metrics if metrics is None else metrics
        )
        tokenizer = self.target_tokenizer
        targets = [text for group in references for text in group]
        encoded(tokenizer, targets, "corpus, references")  # warns
        references = [
            [tokenizer.tokenize(text) for text in group] for group in references
        ]
        found = self.generate(sources, n_best=1, verbose=verbose)
        tokens = [best[0].tokens for best in found]
        return {
            name: function(references, tokens)
            for name, function in functions.items()
        }
