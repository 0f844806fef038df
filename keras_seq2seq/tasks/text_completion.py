import keras
import numpy as np

from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.models import LanguageModel
from keras_seq2seq.search.special import may_follow
from keras_seq2seq.tasks.encoded import encoded
from keras_seq2seq.tasks.learned_tokenizer import learned_tokenizer
from keras_seq2seq.tasks.length_batches import predict_rows
from keras_seq2seq.tasks.text_task import TextTask
from keras_seq2seq.utils.checks import check_integer
from keras_seq2seq.utils.checks import check_texts
from keras_seq2seq.utils.checks import check_type
from keras_seq2seq.utils.checks import is_collection


@keras.saving.register_keras_serializable("keras_seq2seq")
class TextCompletion(TextTask):
    """How a text goes on: a language model, one tokenizer, and a search.

    It goes from a beginning to what follows it, and is trained on whole texts:
    its corpus is a list of strings. `generate([""])` invents a text;
    `generate(["ab"])` gives what comes after "ab"; `score([("", text)])` is the
    log-probability of a text, and `score([(beginning, rest)])` that of a rest.
    `compile`, `fit`, `save`, `export` and the rest are those of every task.

    Args:
        model: `LanguageModel`.
        tokenizer: `Tokenizer`.
        search: `Search`, its name or config. Defaults to `None`:
            `BeamSearch(num_beams=5)`, whose `max_length` fits the model's
            positions together with a beginning of as many tokens.

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
                "The tokenizer of a language model must put nothing around a "
                f"text, which goes on. Received: one that puts {around}"
            )

    @classmethod
    def from_texts(
        cls, texts, preset, *, tokenizer="character", search=None, **settings
    ):
        """A fresh task: a tokenizer from the texts, a model from the zoo.

        Args:
            texts: List of strings.
            preset: Name in `keras_seq2seq.models.LANGUAGE_MODELS`.
            tokenizer: Name, or a `Tokenizer` ready to use. Defaults to
                `"character"`.
            search: As in the constructor.
            **settings: Arguments of the preset, such as `units=256`.
        """
        tokenizer = learned_tokenizer(
            tokenizer, check_texts(texts), "tokenizer"
        )
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
                f"`{argument}` must be a list of strings. Received: {argument} "
                "of type `ParallelCorpus`, sources with answers, and a task "
                "that is a language model. Its `perplexity(texts)` measures "
                "texts alone."
            )
        texts = check_texts(corpus, argument)
        return [""] * len(texts), [[text] for text in texts]

    def source_labels(self, source):
        """What is read before the first step: the last token is that step's."""
        vocabulary = self.tokenizer.vocabulary
        start = vocabulary.id_to_token(vocabulary.start_token_id)
        return [start, *self.tokenizer.tokenize(source)][:-1]

    def source_words(self, sources):
        raise ValueError(
            "`replace_unknown` needs a source to copy from. Received: a "
            "language model, which has none. Leave it out."
        )

    def next_tokens(self, beginnings, k=5):
        """The most probable next tokens after each beginning.

        Of those that a search may choose, with the probabilities that it sees:
        padding and the start token are none of them. An unknown token is one,
        unlikely where none was trained on.

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
        rows = encoded(self.tokenizer, texts, "beginnings")
        found = predict_rows(
            self._logits,
            rows,
            [(len(row),) for row in rows],
            model=self.model,
            target_length=1,
            verbose=False,
        )
        answers = []
        for row in found:
            weights = np.exp(row["logits"] - row["logits"].max())
            probabilities = weights / weights.sum()
            order = np.argsort(-probabilities[token_ids], kind="stable")
            best = token_ids[order[:k]]
            answers.append(
                [
                    (vocabulary.id_to_token(int(i)), float(probabilities[i]))
                    for i in best
                ]
            )
        return answers

    def _logits(self, rows, bucket):
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
        """`exp` of the mean negative log-probability of a token.

        The end token of each text counts as one. It is `inf` where it is
        beyond what a float can hold, above 1.8e308.

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
        total = sum(self.score([("", t) for t in texts], verbose=verbose))
        count = sum(len(self.tokenizer.encode(text)) + 1 for text in texts)
        with np.errstate(over="ignore"):
            return float(np.exp(-total / count))

    def evaluate(self, corpus, *, metrics=None, verbose="auto"):
        """Dict of the `perplexity` of a list of texts, the only metric.

        Args:
            corpus: List of strings.
            metrics: `["perplexity"]`. Defaults to `None`, which is that.
            verbose: As in `generate`.
        """
        wanted = self.default_metrics if metrics is None else metrics
        if not is_collection(wanted) or tuple(wanted) != self.default_metrics:
            raise ValueError(
                "A language model is measured by `metrics=['perplexity']`. "
                f"Received: metrics={metrics!r}. For answers to given texts "
                "take `TextToText`."
            )
        _, references = self.read_corpus(corpus, "corpus")
        texts = [text for (text,) in references]
        return {"perplexity": self.perplexity(texts, verbose=verbose)}
