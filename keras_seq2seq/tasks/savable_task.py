import abc
import inspect

import keras

from keras_seq2seq.search import Search
from keras_seq2seq.tasks import task_folder
from keras_seq2seq.tasks.checks import check_model
from keras_seq2seq.tasks.checks import check_vocabulary
from keras_seq2seq.tasks.default_search import default_search
from keras_seq2seq.tasks.model_card import ModelCard
from keras_seq2seq.tasks.training_setup import config_of_model
from keras_seq2seq.tasks.training_setup import serialize
from keras_seq2seq.text import Tokenizer
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.variables import sync_variables


class SavableTask(abc.ABC):
    """Abstract task that can be saved: a model, a tokenizer and a search.

    A subclass stores each constructor argument as an attribute of the same
    name, for `get_config`.

    Args:
        model, target_tokenizer, search: As for `Task`.
    """

    preset = None  # name of the preset that the task was created from
    saved_by = None  # versions that saved the task, if it was loaded
    exporter = None  # set by `keras_seq2seq.export`, a floor above

    def __init__(self, model, target_tokenizer, search=None):
        self._model = check_model(model)
        self.target_tokenizer = registry.get(
            target_tokenizer, Tokenizer, "target_tokenizer"
        )
        size = self.model.target.vocabulary_size
        check_vocabulary(self.target_tokenizer, size, "target_tokenizer")
        search = default_search(self.model) if search is None else search
        self.search = registry.get(search, Search, "search")
        self.card = ModelCard()
        self._cached = (), {}

    @property
    def model(self):
        """The Keras model, with the latest values of its variables.

        During training under JAX, Keras keeps the values elsewhere; `model` in
        a Keras callback fetches them too.
        """
        return sync_variables(self._model)

    @property
    def source(self):
        """The model's `Source`, or the first of several.

        Unlike `model`, it may be used while a batch is prepared in training:
        under JAX, fetching the variables' values then would break the training
        step.
        """
        return self._model.source

    def cached(self, key, make):
        """Create an object once, and again if the model's variables change.

        Quantization and low-rank adaptation replace variables, which functions
        that are compiled already would not use.

        Args:
            key: Hashable key of the object.
            make: Function without arguments that creates it.
        """
        variables = self.model.variables
        if list(map(id, variables)) != list(map(id, self._cached[0])):
            self._cached = variables, {}
        made = self._cached[1]
        # If two threads create it at once, both get the same one.
        return made[key] if key in made else made.setdefault(key, make())

    def get_config(self):
        """Dict of constructor argument -> config."""
        names = inspect.signature(type(self)).parameters
        parts = {name: getattr(self, name) for name in names}
        return {
            name: config_of_model(part)
            if isinstance(part, keras.Model)
            else serialize(part)
            for name, part in parts.items()
        }

    @classmethod
    def from_config(cls, config):
        parts = {n: registry.object_of(part) for n, part in config.items()}
        return cls(**parts)

    def __repr__(self):
        name = self.preset or type(self.model).__name__
        weights = f"{self.model.count_params():,} weights"
        search = type(self.search).__name__
        return f"{type(self).__name__}({name}, {weights}, {search})"

    @classmethod
    def from_preset(cls, folder):
        """Load a trained task from a folder written by `save`."""
        return task_folder.load(folder, cls)

    def save(self, folder, *, include_optimizer=True):
        """Save the task to a folder, replacing a task that is there.

        Raises `ValueError` for anything that `load` would refuse, before the
        folder is replaced. An optimizer, loss or metric that cannot be loaded
        is left out with a warning. So is the optimizer's state if the trainable
        weights have changed since it was built. Without an optimizer the loaded
        task is not compiled. Other threads may use or save the task at the same
        time, but not train it.

        The folder also has the task's model card (`ModelCard`) as `README.md`,
        for people, and `card.json`. A `README.md` that you have edited is kept.

        Args:
            folder: Path.
            include_optimizer: Boolean. Whether to save the optimizer with its
                state, the loss, the metrics and `steps_per_execution`, to
                continue training. Takes three times the space. Defaults to
                `True`.
        """
        task_folder.save(self, folder, include_optimizer=include_optimizer)

    def export(self, folder, **options):
        """Write `folder/<next version>`, a SavedModel for a server.

        It is written by a separate process with TensorFlow and without a GPU,
        under any backend. It maps strings to strings or, if the sources of the
        task are not texts, the model's input arrays to strings. See
        `keras_seq2seq.export` for its contents.

        Args:
            folder: Path of the folder with the versions.
            **options: `n_best`, `max_source_length`, `searches`,
                `signatures`, `examples`, `replace_unknown` and `source`, as for
                `keras_seq2seq.export.export_saved_model`.

        Returns:
            Path of the new version's folder.
        """
        return self.exporter(folder, **options)
