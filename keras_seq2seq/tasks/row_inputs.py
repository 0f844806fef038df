"""Data inputs of a search for each text: prefixes, bans, seeds and others."""

from keras_seq2seq.search import Search
from keras_seq2seq.search.constraints import Constraint
from keras_seq2seq.search.data_inputs import caller_inputs
from keras_seq2seq.search.inputs import TABLE
from keras_seq2seq.utils import registry


def add_constraints(search, **given):
    """Add constraints to a search that read the given inputs."""
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
    """Dict of the search's data inputs, arrays of `count` rows.

    Args:
        search: `Search`.
        count: Integer. The number of texts.
        tokenizer: `Tokenizer` of the target.
        **given: Values from the user, by argument; `None` if not given.
    """
    required = caller_inputs(search, "Or use an `InferenceModel`.")
    for argument, value in given.items():
        if value is not None and argument not in [x.argument for x in required]:
            cure = ", ".join(f"`{name}`" for name in _find_readers(argument))
            cure = f", or use {cure}" if cure else ""
            raise ValueError(
                f"`{argument}` needs a search that reads it. Received: "
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
        for x in required
    }


def _find_readers(argument):
    """Names of the searches and constraints that read an argument."""
    return [
        cls.__name__
        for family in (Search, Constraint)
        for cls in registry.names(family).values()
        if argument in [x.argument for x in cls.inputs]
    ]
