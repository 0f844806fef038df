import abc
import inspect

import keras

from keras_seq2seq.search import Search
from keras_seq2seq.tasks import task_folder
from keras_seq2seq.tasks.checks import check_model
from keras_seq2seq.tasks.checks import check_vocabulary
from keras_seq2seq.tasks.default_search import default_search
from keras_seq2seq.tasks.training_setup import config_of_model
from keras_seq2seq.tasks.training_setup import serialized
from keras_seq2seq.text import Tokenizer
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.variables import with_values


class SavableTask(abc.ABC):
    """Abstract: model, tokenizer of the target and search, kept in a folder.

    A subclass keeps each argument of its constructor as an attribute of the
    same name, for `get_config`.

    Args:
        model, target_tokenizer, search: As for `Task`.
    """

    preset = None  # its name, where the task was made from one
    saved_by = None  # versions, where the task was loaded
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
        self._cached = (), {}

    @property
    def model(self):
        """The Keras model, with what training has learned so far.

        Under JAX its variables are empty between two batches; `model` of a
        Keras callback fills them too.
        """
        return with_values(self._model)

    @property
    def source(self):
        """The `Source` of the model, the first of several.

        It may be asked while the model trains, for each batch. `model` may
        not: under JAX, to fetch its values within a step takes them from it.
        """
        return self._model.source

    def cached(self, key, make):
        """What is made of the model once, as long as it has its variables.

        Quantization and low-rank adaptation give it others, which compiled
        functions would not see.

        Args:
            key: What it is known by.
            make: Function without arguments.
        """
        variables = self.model.variables
        if list(map(id, variables)) != list(map(id, self._cached[0])):
            self._cached = variables, {}
        made = self._cached[1]
        # Of two threads that make it at once, one's is taken by both.
        return made[key] if key in made else made.setdefault(key, make())

    def get_config(self):
        """Dict of the configs of all parts, the constructor's arguments."""
        names = inspect.signature(type(self)).parameters
        parts = {name: getattr(self, name) for name in names}
        return {
            name: config_of_model(part)
            if isinstance(part, keras.Model)
            else serialized(part)
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
        """The trained task in a folder that `save` wrote."""
        return task_folder.load(folder, cls)

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
        """Write `folder/<next version>`, a SavedModel for a server.

        In a process of its own, with TensorFlow and no GPU, whatever the
        backend here. `keras_seq2seq.export` describes what it holds: from
        strings to strings, or from the arrays that the model reads where the
        sources of the task are no texts.

        Args:
            folder: Path of the folder that holds the versions.
            **options: `n_best`, `max_source_length`, `searches`,
                `signatures`, `examples`, `replace_unknown` and `source`, as for
                `keras_seq2seq.export.export_saved_model`.

        Returns:
            Path of the version's folder.
        """
        return self.exporter(folder, **options)
