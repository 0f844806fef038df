import keras
import numpy as np

from keras_seq2seq.data import BucketedDataset
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.models import copy_encoder
from keras_seq2seq.search import Search
from keras_seq2seq.tasks import child_export
from keras_seq2seq.tasks import generation
from keras_seq2seq.tasks import scoring
from keras_seq2seq.tasks import task_folder
from keras_seq2seq.tasks import training
from keras_seq2seq.tasks.checks import check_corpus
from keras_seq2seq.tasks.checks import check_model
from keras_seq2seq.tasks.checks import check_pairs
from keras_seq2seq.tasks.checks import check_texts
from keras_seq2seq.tasks.checks import check_vocabulary
from keras_seq2seq.tasks.default_search import default_search
from keras_seq2seq.tasks.encoded import encoded
from keras_seq2seq.tasks.learned_tokenizer import learned_tokenizer
from keras_seq2seq.tasks.vectors import vectors
from keras_seq2seq.text import Tokenizer
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_integer
from keras_seq2seq.utils.checks import check_type
from keras_seq2seq.utils.variables import with_values


class TextToText:
    """Text to text: a model, a tokenizer for each side, and a search.

    A plain object; `task.model` is the Keras model, with `summary()`,
    callbacks and all. What is in one folder after `save` is all it needs.

    - `from_corpus(corpus, preset, **settings)` makes a fresh task;
      `from_preset(folder)` loads a trained one.
    - `compile`, `fit`, `evaluate` train and measure on a `ParallelCorpus`.
    - `generate` takes and gives strings; `score` judges given pairs;
      `encode` gives a vector for each text.
    - `save(folder)` and `export(folder)` write it, whole or not at all.

    Several threads may ask one task at once, each with a search of its own.
    While a task trains, its callbacks may call all of these but `fit`.

    Args:
        model: `Seq2Seq`.
        source_tokenizer: `Tokenizer` of the source.
        target_tokenizer: `Tokenizer` of the target.
        search: `Search`, its name or config. Defaults to `None`:
            `BeamSearch(num_beams=5)`, whose `max_length` fits the model's
            positions.

    Example:

    >>> task = k2s.tasks.TextToText.from_corpus(
    ...     [("ab", "A B"), ("b", "B")], preset="luong_2015",
    ...     units=8, embedding_dim=4, target_tokenizer="symbol",
    ... )
    >>> task
    TextToText(luong_2015, ... weights, BeamSearch)
    >>> len(task.generate(["ab", "ba"]))
    2
    """

    preset = None  # its name, where the task was made from one
    saved_by = None  # versions, where the task was loaded

    def __init__(self, model, source_tokenizer, target_tokenizer, search=None):
        self._model = check_model(model)
        self.source_tokenizer = registry.get(
            source_tokenizer, Tokenizer, "source_tokenizer"
        )
        self.target_tokenizer = registry.get(
            target_tokenizer, Tokenizer, "target_tokenizer"
        )
        for side in ("source", "target"):
            name = f"{side}_tokenizer"
            size = getattr(self.model, side).vocabulary_size
            check_vocabulary(getattr(self, name), size, name)
        search = default_search(self.model) if search is None else search
        self.search = registry.get(search, Search, "search")
        self._made = (), {}

    @property
    def model(self):
        """The Keras model, with what training has learned so far.

        Under JAX its variables are empty between two batches; `model` of a
        Keras callback fills them too.
        """
        return with_values(self._model)

    def made_once(self, key, make):
        """What is made of the model once, as long as it has its variables.

        Quantization and low-rank adaptation give it others, which compiled
        functions would not see.

        Args:
            key: What it is known by.
            make: Function without arguments.
        """
        variables = self.model.variables
        if list(map(id, variables)) != list(map(id, self._made[0])):
            self._made = variables, {}
        made = self._made[1]
        # Of two threads that make it at once, one's is taken by both.
        return made[key] if key in made else made.setdefault(key, make())

    def __repr__(self):
        name = self.preset or type(self.model).__name__
        weights = f"{self.model.count_params():,} weights"
        search = type(self.search).__name__
        return f"{type(self).__name__}({name}, {weights}, {search})"

    @classmethod
    def of_parts(cls, *parts):
        """The task of what a folder holds, in the constructor's order."""
        return cls(*parts)

    @classmethod
    def from_corpus(
        cls,
        corpus,
        preset,
        *,
        source_tokenizer=None,
        target_tokenizer=None,
        search=None,
        encoder_from=None,
        **settings,
    ):
        """A fresh task: tokenizers from the corpus, a model from the zoo.

        Args:
            corpus: `ParallelCorpus`, or a list of pairs of strings.
            preset: Name in `keras_seq2seq.models.PRESETS`.
            source_tokenizer, target_tokenizer: Name, or a `Tokenizer` ready to
                use. Defaults to `None`, what the corpus names.
            search: As in the constructor.
            encoder_from: Task to start from: its source tokenizer, and its
                encoder's weights, the source embedding's too, of a model with
                the same settings. Defaults to `None`.
            **settings: Arguments of the preset, such as `units=256`.
        """
        corpus = check_corpus(corpus)
        sources, targets = zip(*corpus.pairs())
        if encoder_from is not None:
            source_tokenizer = _source_tokenizer(encoder_from, source_tokenizer)
        source_tokenizer = learned_tokenizer(
            source_tokenizer or corpus.source_tokenizer,
            sources,
            "source_tokenizer",
        )
        target_tokenizer = learned_tokenizer(
            target_tokenizer or corpus.target_tokenizer,
            targets,
            "target_tokenizer",
        )
        model = Seq2Seq.from_preset(
            preset,
            source_vocabulary_size=len(source_tokenizer.vocabulary),
            target_vocabulary_size=len(target_tokenizer.vocabulary),
            **settings,
        )
        if encoder_from is not None:
            copy_encoder(model, encoder_from.model)
        task = cls(model, source_tokenizer, target_tokenizer, search)
        task.preset = preset
        return task

    @classmethod
    def from_preset(cls, folder):
        """The trained task in a folder that `save` wrote."""
        return task_folder.load(folder, cls)

    def compile(self, optimizer="adam", *, search=None, **kwargs):
        """Configure training, and optionally another search.

        Args:
            optimizer: Keras optimizer, or its name.
            search: `Search`, its name or config. Defaults to `None`, the one
                that the task has.
            **kwargs: For `keras.Model.compile`. Loss and metrics default to
                cross-entropy and accuracy, per real token.
        """
        search = self.search if search is None else search
        search = registry.get(search, Search, "search")
        loss = keras.losses.SparseCategoricalCrossentropy(
            from_logits=True, reduction="mean_with_sample_weight"
        )
        accuracy = keras.metrics.SparseCategoricalAccuracy(name="accuracy")
        defaults = {"loss": loss, "weighted_metrics": [accuracy]}
        self.model.compile(optimizer, **{**defaults, **kwargs})
        self.search = search

    def fit(
        self,
        corpus,
        *,
        validation_data=None,
        batch_size=128,
        num_buckets=None,
        **kwargs,
    ):
        """Train on all pairs of a corpus; gives Keras's `History`.

        An empty target is the end token alone: the right answer is then none.

        Args:
            corpus: `ParallelCorpus`, a list of pairs of strings, or what
                `batches` made of one; that has its own `batch_size`.
            validation_data: The same, or `None`.
            batch_size, num_buckets: As in `batches`.
            **kwargs: For `keras.Model.fit`: `epochs`, `callbacks`, `verbose`.
        """
        sizes = {"batch_size": batch_size, "num_buckets": num_buckets}
        sizes["epochs"] = kwargs.get("epochs", 1)
        if not isinstance(corpus, BucketedDataset):
            rows = self._token_ids(corpus, "corpus")
            corpus = training.batches(self, rows, **sizes)
        if not isinstance(validation_data, (BucketedDataset, type(None))):
            rows = self._token_ids(validation_data, "validation_data")
            validation_data = training.batches(
                self, rows, shuffle=False, **sizes
            )
        return training.fit(self, corpus, validation_data, **kwargs)

    def batches(
        self, corpus, *, batch_size=128, num_buckets=None, epochs=1, **options
    ):
        """What `fit` trains on: a `keras_seq2seq.data.BucketedDataset`.

        For more than one `fit`, for its number of batches, and for what is
        left out because it is too long.

        Args:
            corpus: `ParallelCorpus`, or a list of pairs of strings.
            batch_size: Integer. Fewer rows where texts are long. Defaults to
                `128`.
            num_buckets: Integer. Most pairs of padded lengths. Defaults to
                `None`: 8; under JAX, which compiles each for seconds, at most
                one for each 100 batches of all epochs.
            epochs: Integer, how many there will be. Defaults to `1`.
            **options: `shuffle`, `seed`, `max_cost` of `BucketedDataset`.
        """
        return training.batches(
            self,
            self._token_ids(corpus, "corpus"),
            batch_size=batch_size,
            num_buckets=num_buckets,
            epochs=check_integer(epochs, "epochs", 1),
            **options,
        )

    def _token_ids(self, corpus, argument):
        """Sources and targets as lists of ids."""
        sources, targets = zip(*check_corpus(corpus, argument).pairs())
        return (
            encoded(self.source_tokenizer, sources, f"{argument}, source"),
            encoded(self.target_tokenizer, targets, f"{argument}, target"),
        )

    def generate(
        self,
        texts,
        *,
        search=None,
        n_best=None,
        prefixes=None,
        banned=None,
        seed=None,
        replace_unknown=False,
        return_attention_scores=False,
        verbose="auto",
    ):
        """Answers to a list of texts, in their order.

        An empty text, unknown tokens and long texts are answered as the model
        sees fit; each result is finite. More than a tenth of unknown tokens is
        a warning, a text of more than 16,384 tokens an error.

        Args:
            texts: List of strings.
            search: `Search`, its name or config. Defaults to `None`: the
                task's own.
            n_best: Integer. Number of hypotheses a text. Defaults to `None`:
                the best, as a string.
            prefixes: List of strings, one a text, or one for all: what an
                answer begins with. Defaults to `None`.
            banned: List of lists of tokens, one a text, or one list for all:
                what does not occur in an answer. Defaults to `None`.
            seed: Integer, for a search that draws at random: the first text
                has this seed, the next the next; or a list, one a text.
                Defaults to `None`, a seed of NumPy's.
            replace_unknown: Boolean. Whether the word (or character) of the
                source that was attended to most, as it was written, takes the
                place of an unknown token. Defaults to `False`.
            return_attention_scores: Boolean, or `"by_layer"` for those of
                each layer and head, self-attention too. Defaults to `False`.
            verbose: Boolean or `"auto"`: whether to show progress, `"auto"`
                for long input.

        Returns:
            List of strings; or, where `n_best` or the attention scores are
            asked for, list of lists of `Hypothesis`, best first.
        """
        found = generation.hypotheses(
            self,
            check_texts(texts),
            generation.chosen_search(self, search, n_best, prefixes, banned),
            prefixes=prefixes,
            banned=banned,
            seed=seed,
            replace_unknown=replace_unknown,
            return_attention_scores=return_attention_scores,
            verbose=verbose,
        )
        if n_best is None and not return_attention_scores:
            return [hypotheses[0].text for hypotheses in found]
        return found

    def encode(self, texts, *, pooling="final", verbose="auto"):
        """One vector for each text, from the encoder.

        Args:
            texts: List of strings.
            pooling: `"final"`, the final hidden state of the encoder's top
                layer, in both directions where it has two; or `"mean"`, the
                mean of its outputs, for a Transformer too. Defaults to
                `"final"`.
            verbose: As in `generate`.

        Returns:
            Array of shape `(len(texts), dim)`.
        """
        return vectors(self, check_texts(texts), pooling, verbose=verbose)

    def source_tokens(self, text):
        """What the columns of attention scores stand for: list of strings."""
        return self.source_tokenizer.tokenize(text)

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
            pairs: List of pairs of strings, source and target.
            per_token: Boolean. Whether to give the log-probability of each
                token, the end token last. Defaults to `False`: their sum.
            return_attention_scores: As in `generate`.
            verbose: As in `generate`.

        Returns:
            List of floats, or of arrays; or, where the attention scores are
            asked for, of `Hypothesis`, which hold all of these.
        """
        pairs = check_pairs(pairs)
        if return_attention_scores:
            return scoring.hypotheses(
                self, pairs, return_attention_scores, verbose=verbose
            )
        found = scoring.log_probs(self, pairs, verbose=verbose)
        return found if per_token else [float(np.sum(row)) for row in found]

    def evaluate(self, corpus, *, metrics=("per", "wer"), verbose="auto"):
        """Metrics of the search's answers against all references.

        Args:
            corpus: `ParallelCorpus`, or a list of pairs of strings.
            metrics: List of names: `"per"`, errors per token, and `"wer"`, the
                share of wrong answers; or functions like those of
                `keras_seq2seq.metrics`. Defaults to both.
            verbose: As in `generate`.

        Returns:
            Dict of name -> float.
        """
        return scoring.measured(
            self, check_corpus(corpus), metrics, verbose=verbose
        )

    def save(self, folder, *, include_optimizer=True):
        """Write the task to a folder, in place of a task that is there.

        What `load` would refuse is a `ValueError`, before anything is
        replaced. An optimizer, loss or metric that could not be loaded is left
        out, with a warning; so is the state of an optimizer that is of other
        weights than those that are trainable now. Without its optimizer a
        loaded task is not compiled. Other threads may use the task, or save
        it too, but not train it.

        Args:
            folder: Path.
            include_optimizer: Boolean. Whether training can go on where it
                stopped, with the optimizer, the loss, the metrics and
                `steps_per_execution` that it was compiled with; takes three
                times the room. Defaults to `True`.
        """
        task_folder.save(self, folder, include_optimizer=include_optimizer)

    def export(self, folder, **options):
        """Write `folder/<next version>`, a SavedModel from string to string.

        In a process of its own, with TensorFlow and no GPU, whatever the
        backend here. `keras_seq2seq.export` describes what it holds.

        Args:
            folder: Path of the folder that holds the versions.
            **options: `n_best`, `max_source_length`, `searches`,
                `signatures`, `examples`, `replace_unknown` and `source`, as for
                `keras_seq2seq.export.export_saved_model`.

        Returns:
            Path of the version's folder.
        """
        return child_export.export(self, folder, **options)


def _source_tokenizer(encoder_from, source_tokenizer):
    """The tokenizer that an encoder was trained with."""
    check_type(encoder_from, "encoder_from", TextToText)
    if source_tokenizer not in (None, encoder_from.source_tokenizer):
        raise ValueError(
            "An encoder keeps the tokenizer that it was trained with. "
            "Received: `encoder_from` and another `source_tokenizer`. Leave "
            "the latter out."
        )
    return encoder_from.source_tokenizer
