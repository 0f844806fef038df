import keras

from keras_seq2seq.data import BucketedDataset
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
        batch_size=128,
        num_buckets=None,
        **kwargs,
    ):
        """Train on all pairs of a corpus; return Keras's `History`.

        Args:
            corpus: Corpus of the task, or a dataset from `batches`, which has
                its own `batch_size`.
            validation_data: Like `corpus`, or `None`.
            batch_size, num_buckets: As in `batches`.
            **kwargs: Arguments of `keras.Model.fit`: `epochs`, `callbacks`,
                `verbose`.
        """
        sizes = {"batch_size": batch_size, "num_buckets": num_buckets}
        sizes["epochs"] = kwargs.get("epochs", 1)
        if not isinstance(corpus, BucketedDataset):
            corpus = self._create_dataset(corpus, "corpus", **sizes)
        if not isinstance(validation_data, (BucketedDataset, type(None))):
            validation_data = self._create_dataset(
                validation_data, "validation_data", shuffle=False, **sizes
            )
        before, self.is_training = get_steps(self.model), True
        try:
            history = training.fit(
                self.model, corpus, validation_data, **kwargs
            )
        finally:
            self.is_training = False
        steps = get_steps(self.model) - before
        self.card.record_training(
            data=describe_data(corpus, validation_data),
            settings=describe_settings(self.model, corpus),
            results=describe_results(history, steps),
            seed=get_seed(),
        )
        return history

    def batches(
        self, corpus, *, batch_size=128, num_buckets=None, epochs=1, **options
    ):
        """Create the `keras_seq2seq.data.BucketedDataset` that `fit` trains on.

        Useful to call `fit` several times, or to see the number of batches and
        which rows are too long.

        Args:
            corpus: Corpus of the task.
            batch_size: Integer. Batches of long rows are smaller. Defaults to
                `128`.
            num_buckets: Integer. Largest number of pairs of padded lengths.
                Defaults to `None`: 8, or under JAX, where each takes seconds to
                compile, at most one for each 100 batches of all epochs.
            epochs: Integer. Planned number of epochs. Defaults to `1`.
            **options: `shuffle`, `seed` and `max_cost` of `BucketedDataset`.
        """
        return self._create_dataset(
            corpus,
            "corpus",
            batch_size=batch_size,
            num_buckets=num_buckets,
            epochs=check_integer(epochs, "epochs", 1),
            **options,
        )

    def _create_dataset(self, corpus, argument, **options):
        names = [side.format(argument) for side in self.corpus_sides]
        sources, references = self.read_corpus(corpus, argument)
        rows = self.encode_source(sources, names[0])
        rows = [row for row, group in zip(rows, references) for _ in group]
        targets = [text for group in references for text in group]
        targets = encode_texts(self.target_tokenizer, targets, names[1])
        batch = self.batch_sources
        dataset = training.batches(self.model, rows, targets, batch, **options)
        dataset.filtered = dict(getattr(corpus, "left_out", {}))  # for the card
        return dataset
