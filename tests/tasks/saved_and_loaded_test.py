"""Whatever is saved can be loaded: else it is refused, and nothing is lost."""

import json

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from keras_seq2seq.export import child_export
from keras_seq2seq.tasks import training_setup
from keras_seq2seq.tasks.description import DESCRIPTION

pytestmark = pytest.mark.eager

PAIRS = [("ab", "A B"), ("b", "B")]


def twice(x):
    return 2 * x


@keras.saving.register_keras_serializable("saved_and_loaded")
def thrice(x):
    return 3 * x


class Unregistered(k2s.layers.DotProductScore):
    pass


class OnlyOfThisProcess(k2s.text.SymbolTokenizer):
    pass


@keras.saving.register_keras_serializable("saved_and_loaded")
class Forgetful(k2s.search.constraints.Constraint):
    def __init__(self, width):
        self.width = width

    def get_config(self):
        return {}

    def __call__(self, log_probs, state, context):
        return log_probs


@keras.saving.register_keras_serializable("saved_and_loaded")
class Odd(Forgetful):
    def get_config(self):
        return {"width": self.width}


def task_of(cell=None, score="dot", search="greedy", target=None):
    symbols = k2s.text.SymbolTokenizer(k2s.text.Vocabulary(["A", "B"]))
    source = k2s.text.CharacterTokenizer(k2s.text.Vocabulary(["a", "b"]))
    cell = k2s.layers.LuongCell(cell or keras.layers.GRUCell(3), score=score)
    model = k2s.models.Seq2Seq(
        k2s.layers.RecurrentEncoder(keras.layers.GRUCell(3)),
        k2s.layers.RecurrentDecoder(cell),
        source_vocabulary_size=6,
        target_vocabulary_size=6,
        embedding_dim=2,
    )
    return k2s.tasks.TextToText(model, source, target or symbols, search)


def search_with(constraint):
    return k2s.search.GreedySearch(constraints=[constraint])


REFUSED = {
    "a function": (
        lambda: {"cell": keras.layers.GRUCell(3, activation=twice)},
        "registered_name='twice'",
    ),
    "a lambda": (
        lambda: {"cell": keras.layers.GRUCell(3, activation=lambda x: x)},
        "be restored by its config.*`GRUCell`.*register functions",
    ),
    "a score": (
        lambda: {"score": Unregistered()},
        "registered_name='Unregistered'",
    ),
    "a tokenizer": (
        lambda: {"target": OnlyOfThisProcess(k2s.text.Vocabulary(["A"]))},
        "class_name='OnlyOfThisProcess'",
    ),
    "an object that forgets": (
        lambda: {"search": search_with(Forgetful(3))},
        "be restored by its config.*`Forgetful`.*Make `get_config` return",
    ),
    "a value that is not plain": (
        lambda: {"search": search_with(Odd({3, 4}))},
        "plain values|Cannot serialize",
    ),
    "a nest of values": (
        lambda: {"search": search_with(Odd(nested(200)))},
        "nested at most 100 levels",
    ),
}


def nested(levels):
    found = 1
    for _ in range(levels):
        found = [found]
    return found


@pytest.mark.parametrize("name", REFUSED)
def test_what_could_not_be_loaded_is_refused(tmp_path, name):
    arguments, message = REFUSED[name]
    task_of().save(tmp_path / "task")
    before = (tmp_path / "task" / DESCRIPTION).read_bytes()
    with pytest.raises((TypeError, ValueError), match=message):
        task_of(**arguments()).save(tmp_path / "task")
    assert (tmp_path / "task" / DESCRIPTION).read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["task"]
    k2s.tasks.load(tmp_path / "task")


def test_registered_functions_and_objects(tmp_path):
    cell = keras.layers.GRUCell(3, activation=thrice)
    task_of(cell=cell, search=search_with(Odd(5))).save(tmp_path / "task")
    loaded = k2s.tasks.load(tmp_path / "task")
    assert loaded.model.decoder.cell.cell.activation is thrice
    assert loaded.search.constraints[0].width == 5
    config = loaded.get_config()
    assert child_export._modules(config, type(loaded)) == [__name__]


def batch():
    data = k2s.data.BucketedDataset(
        [[4, 5], [5]], [[4, 5], [5]], batch_size=2, num_buckets=1
    )
    return data[0]


def test_the_compiled_loss_goes_on(tmp_path):
    task = task_of()
    loss = keras.losses.SparseCategoricalCrossentropy(
        from_logits=True, reduction="sum"
    )
    top = keras.metrics.SparseTopKCategoricalAccuracy(k=6, name="top")
    task.compile(
        "adam", loss=loss, metrics=["accuracy"], weighted_metrics=[top]
    )
    task.save(tmp_path / "task")
    loaded = k2s.tasks.load(tmp_path / "task")
    found = loaded.model.test_on_batch(*batch(), return_dict=True)
    assert found.keys() == {"loss", "accuracy", "top"}
    assert found["top"] == 1  # of 6 tokens
    # Summed over all tokens, where the default is their mean.
    expected = -sum(task.score(PAIRS))
    assert found["loss"] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("key", ["loss", "weighted_metrics"])
def test_what_cannot_be_kept_is_said(tmp_path, key):
    def own(y_true, y_pred):
        return keras.losses.sparse_categorical_crossentropy(
            y_true, y_pred, from_logits=True
        )

    task = task_of()
    task.compile("adam", **{key: own if key == "loss" else [own]})
    with pytest.warns(UserWarning, match=f"without its {key}.*'own'"):
        task.save(tmp_path / "task")
    loaded = k2s.tasks.load(tmp_path / "task")
    assert isinstance(
        loaded.model.loss, keras.losses.SparseCategoricalCrossentropy
    )
    assert loaded.model.optimizer is not None


class NoConfig:
    def __call__(self, y_true, y_pred):
        return keras.ops.mean(y_pred)


def test_a_loss_that_has_no_config(tmp_path):
    task = task_of()
    task.compile("adam", loss=NoConfig())
    with pytest.warns(UserWarning, match="without its loss"):
        task.save(tmp_path / "task")
    assert task.model.compiled
    assert k2s.tasks.load(tmp_path / "task").model.compiled


def test_steps_per_execution(tmp_path):
    task = task_of()
    task.compile("adam", steps_per_execution=3)
    task.save(tmp_path / "task")
    description = json.loads((tmp_path / "task" / DESCRIPTION).read_text())
    assert description["training"]["steps_per_execution"] == 3
    on_torch = keras.backend.backend() == "torch"
    found = k2s.tasks.load(tmp_path / "task").model.steps_per_execution
    assert found == (1 if on_torch else 3)


OPTIMIZERS = {
    "adam": lambda: "adam",
    "sgd": lambda: keras.optimizers.SGD(0.1),
    "scaled": lambda: keras.optimizers.LossScaleOptimizer(
        keras.optimizers.Adam()
    ),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("trained", [False, True])
def test_optimizers_before_and_after_training(tmp_path, name, trained):
    task = task_of()
    task.compile(OPTIMIZERS[name]())
    if trained:
        task.fit(PAIRS, batch_size=2, num_buckets=1, verbose=0)
    task.save(tmp_path / "task")
    optimizer = k2s.tasks.load(tmp_path / "task").model.optimizer  # no warning
    for found, expected in zip(
        optimizer.variables, task.model.optimizer.variables, strict=True
    ):
        np.testing.assert_allclose(
            *map(keras.ops.convert_to_numpy, (found, expected)), atol=1e-6
        )


def test_without_its_optimizer_a_task_is_not_compiled(tmp_path):
    task = task_of()
    for optimizer in (keras.optimizers.SGD(lambda: 0.1), None):
        task.compile(optimizer, loss="mse", steps_per_execution=3)
        with pytest.warns(UserWarning, match="without its optimizer") as found:
            task.save(tmp_path / "task")
        words = [str(warning.message) for warning in found]
        (words,) = [text for text in words if "task is saved" in text]
        assert "The loaded task is not compiled" in words
        for name in training_setup.ARGUMENTS:
            assert name in words
        description = (tmp_path / "task" / DESCRIPTION).read_text()
        assert {"optimizer", "training"}.isdisjoint(json.loads(description))
        assert not k2s.tasks.load(tmp_path / "task").model.compiled


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("by", ["names", "variables"])
def test_weights_that_do_not_decay(tmp_path, by, scaled):
    task = task_of()
    optimizer = keras.optimizers.AdamW(weight_decay=0.5)
    if by == "names":
        optimizer.exclude_from_weight_decay(var_names=["bias"])
    else:
        kernel = task.model.trainable_variables[0]
        optimizer.exclude_from_weight_decay(var_list=[kernel])
    if scaled:
        optimizer = keras.optimizers.LossScaleOptimizer(optimizer)
    task.compile(optimizer)
    with pytest.warns(UserWarning, match="does not keep `exclude_from_weight"):
        task.save(tmp_path / "task")
    found = k2s.tasks.load(tmp_path / "task").model.optimizer
    found = getattr(found, "inner_optimizer", found)
    assert found.weight_decay == 0.5


@pytest.mark.parametrize("scaled", [False, True])
def test_layers_frozen_after_training(tmp_path, scaled):
    task = task_of()
    optimizer = OPTIMIZERS["scaled" if scaled else "adam"]()
    task.compile(optimizer)
    task.fit(PAIRS, batch_size=2, num_buckets=1, verbose=0)
    task.model.encoder.trainable = False
    with pytest.warns(UserWarning, match="without the state of its optim"):
        task.save(tmp_path / "task")
    loaded = k2s.tasks.load(tmp_path / "task")  # no warning
    assert int(loaded.model.optimizer.iterations) == 0
    np.testing.assert_allclose(
        loaded.score(PAIRS), task.score(PAIRS), atol=1e-5
    )
    task.compile("adam")
    task.save(tmp_path / "task")  # no warning
    k2s.tasks.load(tmp_path / "task")


def test_as_many_weights_frozen_as_unfrozen(tmp_path):
    """Their state would be that of others, of other shapes."""
    task = task_of()
    first, second = task.model.source_embedding, task.model.target_embedding
    first.trainable = False
    task.compile("adam")
    task.fit(PAIRS, batch_size=2, num_buckets=1, verbose=0)
    first.trainable, second.trainable = True, False
    with pytest.warns(UserWarning, match="to other weights than"):
        task.save(tmp_path / "task")
    assert k2s.tasks.load(tmp_path / "task").model.compiled


def test_a_model_s_config_is_that_of_keras(tmp_path):
    model = task_of().model
    expected = keras.saving.serialize_keras_object(model)
    assert not expected.pop("compile_config")
    assert training_setup.config_of_model(model) == expected
    model.compile("adam")
    assert training_setup.config_of_model(model) == expected


def test_a_folder_of_the_first_format(tmp_path):
    task = task_of()
    task.compile(keras.optimizers.SGD(0.25), loss="mse")
    task.save(tmp_path / "task")
    path = tmp_path / "task" / DESCRIPTION
    description = json.loads(path.read_text())
    del description["training"]
    path.write_text(json.dumps({**description, "format": 1}))
    loaded = k2s.tasks.load(tmp_path / "task")
    assert float(loaded.model.optimizer.learning_rate) == 0.25
    assert loaded.model.loss.reduction == "mean_with_sample_weight"
