"""What a search is told of each text: prefixes, bans, seeds and others."""

from keras_seq2seq.search import Search
from keras_seq2seq.search.constraints import Constraint
from keras_seq2seq.search.data_inputs import caller_inputs
from keras_seq2seq.search.inputs import TABLE
from keras_seq2seq.utils import registry


def with_row_inputs(search, **given):
    """The search, with constraints that read what is given."""
    added = [
        entry.constraint
        for entry in TABLE.values()
        if entry.constraint is not None
        and given.get(entry.argument) is not None
        and entry.name not in search.input_names
    ]
    if not added:
        return search
    return search.replace(constraints=[*search.constraints, *added])


def row_inputs(search, count, tokenizer, **given):
    """Dict of the search's data inputs, an array of `count` rows each.

    Args:
        search: `Search`.
        count: Integer, the number of texts.
        tokenizer: `Tokenizer` of the target.
        **given: What the user gave, by the arguments of the inputs; `None`
            for nothing.
    """
    asked = caller_inputs(search, "Or use an `InferenceModel`.")
    for argument, value in given.items():
        if value is not None and argument not in [x.argument for x in asked]:
            cure = ", ".join(f"`{name}`" for name in _who_asks(argument))
            cure = f", or use {cure}" if cure else ""
            raise ValueError(
                f"`{argument}` is for a search that asks for it. Received: "
                f"{argument}={value!r} and a `{type(search).__name__}`. Leave "
                f"it out{cure}."
            )
    return {
        x.name: x.rows(
            given.get(x.argument),
            count,
            tokenizer=tokenizer,
            max_length=search.max_length,
        )
        for x in asked
    }


def _who_asks(argument):
    """Names of the searches and constraints that read an argument."""
    return [
        cls.__name__
        for family in (Search, Constraint)
        for cls in registry.names(family).values()
        if argument in [x.argument for x in cls.inputs]
    ]
