"""The keys of a recipe, which are the flags of `train` too."""

import difflib
from typing import Annotated
from typing import Any

import pydantic
import yaml
from pydantic import Field

from keras_seq2seq.cli.options import PRESET
from keras_seq2seq.cli.pairs import CORPUS_HELP
from keras_seq2seq.data.filters import BY_DEFAULT
from keras_seq2seq.models import PRESETS
from keras_seq2seq.models.presets import learning_rate_of
from keras_seq2seq.utils.files import check_path
from keras_seq2seq.utils.files import read_text

LEARNING_RATE = 2e-3
MOST = 2**20  # bytes of a recipe

Count = Annotated[int, Field(ge=1, strict=True)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]
Rate = Annotated[float, Field(ge=0, lt=1, strict=True)]
Files = Annotated[list[str], Field(min_length=1)]


class Recipe(pydantic.BaseModel, extra="forbid"):
    """Everything that determines a training: data, model and settings."""

    # Data
    corpus: str | None = Field(
        None,
        description=CORPUS_HELP,
    )
    source: Files | None = Field(
        None, description="files with a source text on each line"
    )
    target: Files | None = Field(
        None, description="files with the target text on the same line"
    )
    validation: str | None = Field(
        None, description="validation pairs, a file like corpus"
    )
    validation_source: Files | None = Field(
        None, description="files of validation sources"
    )
    validation_target: Files | None = Field(
        None, description="files of validation targets"
    )
    validation_fraction: Rate = Field(
        0.0,
        description="fraction of the sources to hold out for validation, "
        "chosen by a hash of the source",
    )
    max_length: Count | None = Field(
        None, description="remove pairs with a longer text, in tokens"
    )
    max_ratio: Annotated[float, Field(ge=1, strict=True)] | None = Field(
        None,
        description="remove pairs of which one text has more than this many "
        "times the tokens of the other",
    )
    keep: list[str] = Field(
        ["copy"],
        description="pairs that are not removed, of "
        f"{', '.join(BY_DEFAULT)} (none: keep: [])",
    )
    cache_folder: str | None = Field(
        None,
        description="folder for the token ids of the corpus, which later "
        "trainings find there (default: temporary files)",
    )
    # Tokenizers
    source_tokenizer: str = Field(
        "character",
        description="name of a tokenizer to learn, such as character, symbol, "
        "word or subword; or a SentencePiece model, ending with .model",
    )
    target_tokenizer: str = Field("character", description="the same")
    vocabulary_size: Count | None = Field(
        None,
        description="largest number of tokens of each learned tokenizer "
        "(default: the tokenizer's; subword 8000)",
    )
    min_count: Count | None = Field(
        None, description="how often a token must occur to be learned"
    )
    joint_vocabulary: bool = Field(
        False, description="one tokenizer for both sides"
    )
    # Model
    preset: str = Field(
        PRESET, description="preset of the model; _small ones suit a CPU"
    )
    units: Count | None = Field(
        None,
        description="width of the layers, in a Transformer also of the "
        "embeddings (default: the preset's, as for the next four)",
    )
    embedding_dim: Count | None = Field(None, description="of the embeddings")
    num_layers: Count | None = Field(None, description="on each side")
    num_heads: Count | None = Field(None, description="of attention")
    dropout: Rate | None = Field(None, description="dropped fraction")
    settings: dict[str, Any] = Field(
        {},
        description="other settings of the preset, such as cell: lstm, "
        "score: dot or input_feeding: false",
    )
    dtype_policy: str = Field(
        "float32", description="of Keras, such as mixed_bfloat16"
    )
    # Training
    epochs: Positive = Field(5.0, description="passes over the corpus")
    minutes: Positive | None = Field(
        None,
        description="train for about so long instead, by the speed of the "
        "first seconds",
    )
    batch_size: Count | None = Field(
        None, description="pairs of a batch (default: 128)"
    )
    tokens_per_batch: Count | None = Field(
        None, description="largest number of tokens of a batch instead"
    )
    num_buckets: Count | None = Field(
        None, description="largest number of shapes of batches (default: 8)"
    )
    learning_rate: Positive | None = Field(
        None,
        description="highest learning rate of Adam (default: depends on the "
        f"preset, {LEARNING_RATE:g} for recurrent ones)",
    )
    warmup_steps: Annotated[int, Field(ge=0, strict=True)] = Field(
        0, description="steps in which the learning rate rises from 0"
    )
    seed: Annotated[int, Field(ge=0, lt=2**32, strict=True)] = Field(
        0, description="of weights, batches and dropout"
    )
    # Result
    num_beams: Count | None = Field(
        None, description="beams of the saved search (default: 5)"
    )
    length_penalty: str | None = Field(
        None, description="of the saved search, such as avg or wu"
    )
    optimizer: bool = Field(
        True,
        description="save the optimizer's state, two thirds of the size, to "
        "continue training",
    )
    out: str | None = Field(None, description="where to save the task")

    @property
    def highest_learning_rate(self):
        given = self.learning_rate
        return given or learning_rate_of(self.preset, LEARNING_RATE)


def make_recipe(keys: dict) -> Recipe:
    """Create a recipe; raise a `ValueError` that names the first wrong key."""
    try:
        recipe = Recipe.model_validate(keys)
    except pydantic.ValidationError as error:
        raise ValueError(_describe(error.errors()[0])) from None
    if recipe.preset not in PRESETS:
        near = difflib.get_close_matches(recipe.preset, PRESETS, 1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise ValueError(
            f"`preset` must be one of {sorted(PRESETS)}. "
            f"Received: preset={recipe.preset!r}.{hint}"
        )
    return recipe


def read_recipe(path) -> dict:
    """Read the keys of a recipe, a file of YAML."""
    path = check_path(path, "recipe")
    try:
        keys = yaml.safe_load(read_text(path, MOST))
    except yaml.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        line = f", line {place.line + 1}" if place else ""
        raise ValueError(
            f"A recipe must be YAML, `key: value` on each line. Received: "
            f"{path}{line}, which is not."
        ) from error
    if not isinstance(keys, dict):
        raise ValueError(
            "A recipe must have `key: value` on each line. Received: "
            f"{path}, of type {type(keys).__name__}."
        )
    for name in ("source", "target", "validation_source", "validation_target"):
        if isinstance(keys.get(name), str):
            keys[name] = [keys[name]]
    return keys


def _describe(problem):
    name = ".".join(map(str, problem["loc"]))
    if problem["type"] == "extra_forbidden":
        near = difflib.get_close_matches(name, Recipe.model_fields, 1)
        hint = f"Did you mean {near[0]}?" if near else "Remove it."
        return (
            "A recipe must have keys that `keras-seq2seq recipe` explains. "
            f"Received: {name}. {hint}"
        )
    received = problem["input"]
    return (
        f"`{name}` of a recipe is wrong: {problem['msg'].lower()}. "
        f"Received: {name}={received!r}"
    )
