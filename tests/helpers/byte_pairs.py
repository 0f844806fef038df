"""Byte-level tokenizers, trained by the package tokenizers."""

import functools

import tokenizers

from tests.helpers.texts import real_texts

SPECIAL = ["<s>", "</s>"]


@functools.cache
def trained(add_prefix_space=False, size=2000):
    """A tokenizer of the package."""
    level = tokenizers.pre_tokenizers.ByteLevel
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = level(add_prefix_space=add_prefix_space)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=size,
        initial_alphabet=level.alphabet(),
        special_tokens=SPECIAL,
        show_progress=False,
    )
    tokenizer.train_from_iterator(real_texts(10_000)[::5], trainer)
    return tokenizer
