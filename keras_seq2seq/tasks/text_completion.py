import keras
import numpy as np

from keras_seq2seq import metrics as metrics_module
from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.models import LanguageModel
from keras_seq2seq.search.special import may_follow
from keras_seq2seq.tasks.encode_texts import encode_texts
from keras_seq2seq.tasks.learn_tokenizer import learn_tokenizer
from keras_seq2seq.tasks.length_batches import predict_rows
from keras_seq2seq.tasks.text_task import TextTask
from keras_seq2seq.utils.checks import check_integer
from keras_seq2seq.utils.checks import check_texts
from keras_seq2seq.utils.checks import check_type
from keras_seq2seq.utils.checks import is_collection


@keras.saving.register_keras_serializable("keras_seq2seq")
class TextCompletion(TextTask):
    """Completes texts with a language model, a tokenizer and a search.

    It is trained on whole texts: the corpus is a list of strings.
    `generate([""])` generates a new text, and `generate(["ab"])` a continuation
    of "ab". A continuation is decoded as a text of its own, without a space in
    front: whether it began with one is seen in the first of a hypothesis's
    `tokens`, such as `"▁the"` of a `SubwordTokenizer`. `score([("", text)])` is
    the log-probability of a text, and `score([(beginning, rest)])` that of a
    continuation, which is encoded as a text of its own too. All other methods
    are those of `Task`.

    Args:
        model: `LanguageModel`.
        tokenizer: `Tokenizer`.
        search: `Search`, its name or config. Defaults to `None`:
            `BeamSearch(num_beams=5)`, whose `max_length` is at most half of the
            model's positions.

    Example:

    >>> task = k2s.tasks.TextCompletion.from_texts(
    ...     ["abc", "ab"], preset="zaremba_2014", units=8, embedding_dim=4
    ... )
    >>> len(task.generate(["", "a"])), len(task.next_tokens(["a"], k=2)[0])
    (2, 2)
    """

    default_metrics = ("perplexity",)
    corpus_sides = ("{}", "{}")  # a text is its own target

    def __init__(self, model, tokenizer, search=None):
        check_type(model, "model", LanguageModel)
        super().__init__(model, tokenizer, tokenizer, search)
        self.tokenizer = self.target_tokenizer
        around = self.tokenizer.tokenize("")
        if around:
            raise ValueError(
                "The tokenizer of a language model must not add tokens to a "
                f"text, which is continued. Received: one that adds {around}"
            )

    @classmethod
    def from_texts(
        cls, texts, preset, *, tokenizer="character", search=None, **settings
    ):
        """Create a task: a tokenizer learned from texts and a preset's model.

        Args:
            texts: List of strings.
            preset: Name in `keras_seq2seq.models.LANGUAGE_MODELS`.
            tokenizer: Name of a tokenizer to learn; dict of the `name` and
                arguments of its `from_texts`, such as `{"name": "subword",
                "vocabulary_size": 4000}`; or a `Tokenizer`. Defaults to
                `"character"`.
            search: As in the constructor.
            **settings: Arguments of the preset, such as `units=256`.
        """
        tokenizer = learn_tokenizer(tokenizer, check_texts(texts), "tokenizer")
        model = LanguageModel.from_preset(
            preset,
            vocabulary_size=len(tokenizer.vocabulary),
            start_token_id=tokenizer.vocabulary.start_token_id,
            **settings,
        )
        task = cls(model, tokenizer, search)
        task.preset = preset
        return task

    def read_corpus(self, corpus, argument):
        if isinstance(corpus, ParallelCorpus):
            raise TypeError(
                f"`{argument}` must be a list of strings for a language model. "
                f"Received: {argument} of type `ParallelCorpus`, which has "
                "sources and targets. Use `perplexity(texts)` for texts."
            )
        texts = check_texts(corpus, argument)
        return [""] * len(texts), [[text] for text in texts]

    def source_labels(self, source):
        """Tokens read before the first step, which reads the last token."""
        vocabulary = self.tokenizer.vocabulary
        start = vocabulary.id_to_token(vocabulary.start_token_id)
        return [start, *self.tokenizer.tokenize(source)][:-1]

    def source_words(self, sources):
        raise ValueError(
            "`replace_unknown` needs a source to copy from. Received: a "
            "language model, which has none. Leave it out."
        )

    def next_tokens(self, beginnings, k=5):
        """Find the most probable next tokens after each beginning.

        Padding and the start token are left out, as in a search. The unknown
        token is included, but improbable if there were none in training.

        Args:
            beginnings: List of strings.
            k: Integer. Defaults to `5`.

        Returns:
            List of lists of `(token, probability)`, best first.
        """
        vocabulary = self.tokenizer.vocabulary
        check_integer(k, "k", 1)
        token_ids = np.arange(len(vocabulary))
        token_ids = token_ids[may_follow(token_ids, 0, vocabulary, 0)]
        texts = check_texts(beginnings, "beginnings")
        rows = encode_texts(self.tokenizer, texts, "beginnings")
        outputs = predict_rows(
            self._predict_logits,
            rows,
            [(len(row),) for row in rows],
            model=self.model,
            target_length=1,
            verbose=False,
        )
        results = []
        for row in outputs:
            weights = np.exp(row["logits"] - row["logits"].max())
            probabilities = weights / weights.sum()
            order = np.argsort(-probabilities[token_ids], kind="stable")
            best = token_ids[order[:k]]
            results.append(
                [
                    (vocabulary.id_to_token(int(i)), float(probabilities[i]))
                    for i in best
                ]
            )
        return results

    def _predict_logits(self, rows, bucket):
        start = self.tokenizer.vocabulary.start_token_id
        model, first = self.model, np.full((len(rows), 1), start, "int32")
        logits = model.predict_on_batch(
            {
                **self.batch_sources(rows, bucket[0]),
                model.target.input_name: first,
            }
        )
        return {"logits": keras.ops.convert_to_numpy(logits)[:, 0]}

    def perplexity(self, texts, *, verbose="auto"):
        """Perplexity: `exp` of the mean negative log-probability per token.

        The end token of each text counts as a token. The perplexity is `inf`
        above 1.8e308, the largest float.

        Args:
            texts: List of strings.
            verbose: As in `generate`.

        Returns:
            Float.
        """
        texts = check_texts(texts)
        if not texts:
            raise ValueError(
                "`texts` must hold at least one. Received: len(texts)=0"
            )
        pairs = [("", text) for text in texts]
        rows = self.score(pairs, per_token=True, verbose=verbose)
        return metrics_module.perplexity([rows])

    def evaluate(self, corpus, *, metrics=None, **options):
        """Compute the perplexity of texts, the only metric of a language model.

        Args:
            corpus: List of strings.
            metrics: `["perplexity"]` or `None`. Defaults to `None`.
            **options: As for `Task.evaluate`.

        Returns:
            Dict with the `perplexity`.
        """
        wanted = self.default_metrics if metrics is None else metrics
        if not is_collection(wanted) or tuple(wanted) != self.default_metrics:
            raise ValueError(
                "A language model is evaluated by `metrics=['perplexity']`. "
                f"Received: metrics={metrics!r}. For sources and targets use "
                "`TextToText`."
            )
        return super().evaluate(corpus, metrics=wanted, **options)
