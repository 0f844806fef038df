"""The keys of a recipe, which are the flags of `train` too."""

import difflib
from typing import Annotated
from typing import Any

import keras
import pydantic
from pydantic import Field

from keras_seq2seq.cli.options import PRESET
from keras_seq2seq.cli.options import TOKENIZER_FILES
from keras_seq2seq.cli.pairs import CORPUS_HELP
from keras_seq2seq.data.filters import BY_DEFAULT
from keras_seq2seq.models import PRESETS
from keras_seq2seq.models.presets import learning_rate_of
from keras_seq2seq.search.penalties import LengthPenalty
from keras_seq2seq.tasks.learn_tokenizer import learnable_tokenizers
from keras_seq2seq.utils import registry

LEARNING_RATE = 2e-3

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
    _check_names(recipe)
    keras.dtype_policies.get(recipe.dtype_policy)
    return recipe


def _check_names(recipe):
    """Raise for a name that nothing has; `--import` may have brought more."""
    for name in recipe.keep:
        _check_name("keep", name, BY_DEFAULT)
    _check_name("preset", recipe.preset, PRESETS)
    for name in ("source_tokenizer", "target_tokenizer"):
        value = getattr(recipe, name)
        if not value.endswith(TOKENIZER_FILES):
            _check_name(name, value, learnable_tokenizers())
    if recipe.length_penalty is not None:
        known = registry.names(LengthPenalty)
        _check_name("length_penalty", recipe.length_penalty, known)


def _check_name(key, name, known):
    if name not in known:
        near = difflib.get_close_matches(name, known, 1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise ValueError(
            f"`{key}` must be one of {sorted(known)}. "
            f"Received: {key}={name!r}.{hint}"
        )


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
        f"Received: {name}={received!r}{_cure(problem['type'], received)}"
    )


def _cure(kind, received):
    """What to do about values that YAML reads otherwise than they look."""
    if kind == "string_type" and received is not None:
        return ". Put the text in quotes."
    if kind in ("int_type", "float_type") and isinstance(received, str):
        return ". Leave out the quotes."
    return ""
