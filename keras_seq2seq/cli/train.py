"""Train a task on pairs of texts and save it.

    keras-seq2seq train pairs.tsv --out runs/mine --epochs 10
    keras-seq2seq train recipe.yaml --out runs/mine

What flags set, a recipe may set too: a file of YAML with the same names
(`keras-seq2seq recipe` explains them). Flags that are given count more.

Ctrl-C or SIGTERM ends the training after the current batch, without a further
validation, and saves the task: the exit status is 0. A second one ends the
command immediately and saves nothing.
"""

import contextlib

import keras

from keras_seq2seq.cli import train_data
from keras_seq2seq.cli import training
from keras_seq2seq.cli.command_line import shorten_path
from keras_seq2seq.cli.options import choose_settings
from keras_seq2seq.cli.recipe_file import read_recipe
from keras_seq2seq.cli.recipe_flags import add_flags
from keras_seq2seq.cli.recipe_flags import given_keys
from keras_seq2seq.cli.recipe_keys import Recipe
from keras_seq2seq.cli.recipe_keys import make_recipe
from keras_seq2seq.search import BeamSearch
from keras_seq2seq.tasks import TextToText
from keras_seq2seq.tasks import task_folder
from keras_seq2seq.tasks.card_files import read_card
from keras_seq2seq.tasks.model_card import plain

ENDINGS = ".yaml", ".yml"


def add_options(parser) -> None:
    parser.add_argument(
        "corpus",
        nargs="?",
        metavar="CORPUS",
        help="file of pairs, see `keras-seq2seq recipe`; or a recipe, ending "
        "with .yaml",
    )
    add_flags(parser, "corpus", "settings")
    parser.add_argument(
        "--overwrite",
        action="store_true",
        help="replace a task that was trained with another recipe",
    )


def run(options) -> None:
    recipe = _recipe(options)
    _check_folder(recipe, options.overwrite)
    print(f"Training {recipe.preset} on {keras.backend.backend()}", flush=True)
    with _dtype_policy(recipe.dtype_policy):
        keras.utils.set_random_seed(recipe.seed)
        task, dataset, validation = _prepare(recipe)
        epochs = _epochs(task, dataset, recipe)
        task.compile(
            training.make_optimizer(
                recipe.highest_learning_rate,
                batches=len(dataset),
                epochs=epochs,
                warmup_steps=recipe.warmup_steps,
            )
        )
        stopped = training.fit(
            task,
            dataset,
            validation_data=validation,
            epochs=epochs,
            keep=lambda: task.save(
                recipe.out, include_optimizer=recipe.optimizer
            ),
        )
    print(f"{'Stopped early. ' if stopped else ''}Saved in {recipe.out}")


def _recipe(options) -> Recipe:
    keys = given_keys(options)
    if keys.get("corpus", "").endswith(ENDINGS):
        keys = {**read_recipe(keys.pop("corpus")), **keys}
    return make_recipe(keys)


def _check_folder(recipe, overwrite):
    """Raise unless the task can be saved: now, not after the training."""
    if recipe.out is None:
        raise ValueError(
            "`out`, the folder to save the task in, must be given. "
            "Received: none"
        )
    folder = task_folder.check_target(recipe.out, "--out")
    before = read_card(folder).recipe if folder.exists() else None
    if before is not None and before != _kept(recipe) and not overwrite:
        raise ValueError(
            "`out` must be a new folder, or hold a task of the same recipe. "
            f"Received: {recipe.out}, a task of another recipe (see its "
            "recipe.yaml). Choose another folder, or add --overwrite."
        )


def _kept(recipe):
    """The keys of a recipe that the saved task has, without absolute paths."""
    keys = recipe.model_dump(
        exclude_defaults=True, exclude={"out", "cache_folder"}
    )
    return plain(keras.tree.map_structure(_shorten, keys))


def _shorten(value):
    return shorten_path(value) if isinstance(value, str) else value


def _prepare(recipe):
    """Task, training dataset and validation dataset or `None`."""
    corpus, held_out = train_data.read_corpora(recipe)
    settings = choose_settings(
        recipe.preset,
        units=recipe.units,
        embedding_dim=recipe.embedding_dim,
        num_layers=recipe.num_layers,
        num_heads=recipe.num_heads,
        dropout=recipe.dropout,
    )
    task = TextToText.from_corpus(
        train_data.filter_pairs(corpus, recipe),
        recipe.preset,
        **train_data.choose_tokenizers(recipe),
        **settings,
        **recipe.settings,
    )
    task.search = _search(task.search, recipe)
    task.card.recipe = _kept(recipe)
    tokenizers = task.source_tokenizer, task.target_tokenizer
    corpus = train_data.filter_pairs(corpus, recipe, tokenizers=tokenizers)
    sizes = {
        "batch_size": recipe.batch_size,
        "tokens_per_batch": recipe.tokens_per_batch,
        "num_buckets": recipe.num_buckets,
        "epochs": max(1, round(recipe.epochs)),
    }
    cached = _cache(corpus, recipe)
    dataset = task.batches(corpus, **sizes, **cached)
    training.print_sizes(task, dataset)
    if held_out is not None:
        held_out = task.batches(held_out, **sizes, **cached, shuffle=False)
        validated = held_out.statistics()["pairs"]
        print(f"{validated:,} pairs to validate with", flush=True)
    return task, dataset, held_out


def _cache(corpus, recipe):
    is_streamed = isinstance(corpus, train_data.StreamedCorpus)
    return {"cache_folder": recipe.cache_folder} if is_streamed else {}


def _search(search, recipe):
    given = {
        "num_beams": recipe.num_beams,
        "length_penalty": recipe.length_penalty,
    }
    given = {name: x for name, x in given.items() if x is not None}
    if not given:
        return search
    return BeamSearch(**{**search.get_config(), **given})


def _epochs(task, dataset, recipe):
    if recipe.minutes is None:
        return recipe.epochs
    speed = training.measure_speed(task, dataset)
    epochs = speed * 60 * recipe.minutes
    print(f"{epochs:.1f} epochs in {recipe.minutes:g} min", flush=True)
    return epochs


@contextlib.contextmanager
def _dtype_policy(name):
    before = keras.config.dtype_policy()
    keras.config.set_dtype_policy(name)
    try:
        yield
    finally:
        keras.config.set_dtype_policy(before)
