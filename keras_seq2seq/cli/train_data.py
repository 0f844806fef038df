"""The corpora and tokenizers of a recipe."""

from keras_seq2seq.cli.options import TOKENIZER_FILES
from keras_seq2seq.cli.pairs import read_pairs
from keras_seq2seq.cli.recipe_keys import Recipe
from keras_seq2seq.data import StreamedCorpus
from keras_seq2seq.data import cmudict
from keras_seq2seq.text import read_tokenizer


def read_corpora(recipe: Recipe):
    """Training corpus, and validation corpus or `None`, before filters."""
    if recipe.corpus == "cmudict" and not recipe.source:
        splits = cmudict()
        if recipe.validation in (None, "cmudict"):
            return splits.train, splits.validation
        return splits.train, _read(recipe.validation, None, None, "validation")
    names = recipe.source_tokenizer, recipe.target_tokenizer
    corpus = _read(recipe.corpus, recipe.source, recipe.target, "", names)
    held_out = recipe.validation_source, recipe.validation_target
    if recipe.validation or any(held_out):
        if recipe.validation_fraction:
            raise ValueError(
                "`validation_fraction` holds out a part of the corpus. "
                "Received: validation files too. Give one of them."
            )
        return corpus, _read(recipe.validation, *held_out, "validation_", names)
    if not recipe.validation_fraction:
        return corpus, None
    splits = corpus.split(validation=recipe.validation_fraction, test=0.0)
    for name in ("train", "validation"):
        if next(getattr(splits, name).unfiltered_pairs(), None) is None:
            raise ValueError(
                "`validation_fraction` must leave pairs to train on and to "
                "validate with. Received: validation_fraction="
                f"{recipe.validation_fraction:g}, with which no pair is for "
                f"{name}. Choose another one, or give files in `validation`."
            )
    return splits.train, splits.validation


def _read(corpus, source, target, prefix, names=("character", "symbol")):
    """Read pairs, for which tokenizers count tokens before any is learned."""
    measures = map(_measure, names)
    tokenizers = dict(zip(("source_tokenizer", "target_tokenizer"), measures))
    return read_pairs(
        StreamedCorpus, corpus, source, target, prefix=prefix, **tokenizers
    )


def _measure(name):
    return "subword" if name.endswith(TOKENIZER_FILES) else name


def choose_tokenizers(recipe: Recipe) -> dict:
    """Arguments of `TextToText.from_corpus` for the tokenizers of a recipe."""
    sides = ["source_tokenizer", "target_tokenizer"]
    if recipe.joint_vocabulary:  # one is meant for both
        sides = [x for x in sides if x in recipe.model_fields_set] or sides
    names = {side: getattr(recipe, side) for side in sides}
    made = {name: _tokenizer(recipe, name) for name in {*names.values()}}
    chosen = {side: made[name] for side, name in names.items()}
    return {**chosen, "joint_vocabulary": recipe.joint_vocabulary}


def _tokenizer(recipe, name):
    if name.endswith(TOKENIZER_FILES):
        return read_tokenizer(name)
    settings = {}
    if recipe.vocabulary_size is not None:
        settings["vocabulary_size"] = recipe.vocabulary_size
    if recipe.min_count is not None:
        settings["min_count"] = recipe.min_count
    return {"name": name, **settings} if settings else name


def filter_pairs(corpus, recipe: Recipe, *, tokenizers=(None, None)):
    """Remove unsuitable pairs of files; a dictionary stays as it is.

    Args:
        corpus: Corpus from `read_corpora`.
        recipe: `Recipe`.
        tokenizers: Pair of `Tokenizer`s in whose tokens lengths are measured,
            or of `None`: lengths do not matter yet.
    """
    if not isinstance(corpus, StreamedCorpus):
        return corpus
    source, target = tokenizers
    limits = {}
    if source is not None:
        limits = {"source_tokenizer": source, "target_tokenizer": target}
        limits |= {"max_length": recipe.max_length}
        limits |= {"max_ratio": recipe.max_ratio}
    return corpus.filtered(keep=recipe.keep, **limits)
