import keras
import numpy as np

from keras_seq2seq.data import BucketedDataset
from keras_seq2seq.data import EncodedCorpus
from keras_seq2seq.data import StreamedCorpus
from keras_seq2seq.data import TokenRows
from keras_seq2seq.search import Search
from keras_seq2seq.tasks import training
from keras_seq2seq.tasks.card_facts import describe_data
from keras_seq2seq.tasks.card_facts import describe_results
from keras_seq2seq.tasks.card_facts import describe_settings
from keras_seq2seq.tasks.card_facts import get_seed
from keras_seq2seq.tasks.card_facts import get_steps
from keras_seq2seq.tasks.encode_texts import encode_texts
from keras_seq2seq.tasks.savable_task import SavableTask
from keras_seq2seq.tasks.source_hooks import SourceHooks
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_integer


class TrainableTask(SourceHooks, SavableTask):
    """Abstract task that can be compiled and trained on a corpus.

    Args:
        model, target_tokenizer, search: As for `Task`.
    """

    is_training = False  # whether `fit` is running

    def compile(self, optimizer="adam", *, search=None, **kwargs):
        """Configure training, and optionally set another search.

        Args:
            optimizer: Keras optimizer or its name.
            search: `Search`, its name or config. Defaults to `None`, the task's
                search.
            **kwargs: Arguments of `keras.Model.compile`. Loss and metrics
                default to cross-entropy and accuracy per real token.
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
        batch_size=None,
        tokens_per_batch=None,
        num_buckets=None,
        cache_folder=None,
        **kwargs,
    ):
        """Train on all pairs of a corpus; return Keras's `History`.

        Args:
            corpus: Corpus of the task, an `EncodedCorpus` of it, or a dataset
                from `batches`, which has its own sizes.
            validation_data: Like `corpus`, or `None`.
            batch_size, tokens_per_batch, num_buckets: As in `batches`.
            cache_folder: As in `encode_corpus`.
            **kwargs: Arguments of `keras.Model.fit`: `epochs`, `callbacks`,
                `verbose`.
        """
        options = training.check_sizes(batch_size, tokens_per_batch)
        options["num_buckets"] = num_buckets
        options["epochs"] = kwargs.get("epochs", 1)
        data = {"corpus": corpus, "validation_data": validation_data}
        for name, value in data.items():
            if not isinstance(value, (BucketedDataset, type(None))):
                value = self._encode(value, name, cache_folder)
                shuffle = {} if name == "corpus" else {"shuffle": False}
                data[name] = self._create_dataset(value, **options, **shuffle)
        return self._fit(*data.values(), **kwargs)

    def batches(
        self,
        corpus,
        *,
        batch_size=None,
        tokens_per_batch=None,
        num_buckets=None,
        epochs=1,
        cache_folder=None,
        **options,
    ):
        """Create the `keras_seq2seq.data.BucketedDataset` that `fit` trains on.

        Useful to call `fit` several times, or to see the number of batches and
        which rows are too long.

        Args:
            corpus: Corpus of the task, or an `EncodedCorpus` of it.
            batch_size: Integer. Batches of long rows are smaller. Defaults to
                `None`: 128, without `tokens_per_batch`.
            tokens_per_batch: Integer. Largest number of tokens of a batch,
                source and target, instead of `batch_size`. Defaults to `None`.
            num_buckets: Integer. Largest number of pairs of padded lengths.
                Defaults to `None`: 8, or under JAX, where each takes seconds to
                compile, at most one for each 100 batches of all epochs.
            epochs: Integer. Planned number of epochs. Defaults to `1`.
            cache_folder: As in `encode_corpus`.
            **options: `shuffle`, `seed`, `epoch` and `max_cost` of
                `BucketedDataset`.
        """
        options |= training.check_sizes(batch_size, tokens_per_batch)
        return self._create_dataset(
            self._encode(corpus, "corpus", cache_folder),
            num_buckets=num_buckets,
            epochs=check_integer(epochs, "epochs", 1),
            **options,
        )

    def encode_corpus(self, corpus, *, cache_folder=None):
        """Encode a corpus to token ids, to train on it several times.

        Args:
            corpus: Corpus of the task. The ids of a `StreamedCorpus` are
                written to files.
            cache_folder: Path of a folder for these files. They are found again
                by the contents of the files of the corpus, its filters and the
                tokenizers. Defaults to `None`: temporary files.

        Returns:
            `keras_seq2seq.data.EncodedCorpus`, with a row for each pair.
        """
        return self._encode(corpus, "corpus", cache_folder)

    def _encode(self, corpus, argument, cache_folder):
        if isinstance(corpus, EncodedCorpus):
            return corpus
        if isinstance(corpus, StreamedCorpus):
            return self.encode_stream(corpus, cache_folder)
        if cache_folder is not None:
            raise TypeError(
                "`cache_folder` needs a `StreamedCorpus`. Received: "
                f"{argument} of type `{type(corpus).__name__}`. Leave "
                "`cache_folder` out."
            )
        names = [side.format(argument) for side in self.corpus_sides]
        sources, references = self.read_corpus(corpus, argument)
        rows = self.encode_source(sources, names[0])
        counts = [len(group) for group in references]
        rows = _repeat(rows, np.repeat(np.arange(len(rows)), counts))
        targets = [text for group in references for text in group]
        targets = encode_texts(self.target_tokenizer, targets, names[1])
        return EncodedCorpus(rows, targets, getattr(corpus, "left_out", None))

    def _create_dataset(self, corpus, **options):
        batch = self.batch_sources
        dataset = training.batches(self.model, corpus, batch, **options)
        dataset.filtered = dict(corpus.left_out or {})  # for the card
        return dataset

    def _fit(self, dataset, validation_data, **kwargs):
        """Train on a `BucketedDataset`, and record it in the card."""
        before, self.is_training = get_steps(self.model), True
        try:
            history = training.fit(
                self.model, dataset, validation_data, **kwargs
            )
        finally:
            self.is_training = False
        steps = get_steps(self.model) - before
        self.card.record_training(
            data=describe_data(dataset, validation_data),
            settings=describe_settings(self.model, dataset),
            results=describe_results(history, steps),
            seed=get_seed(),
        )
        return history


def _repeat(rows, indices):
    if isinstance(rows, TokenRows):
        return rows.take(indices)
    return [rows[index] for index in indices]
