"""Options for the search of a task."""

from keras_seq2seq.cli.options import at_least_one
from keras_seq2seq.cli.options import positive
from keras_seq2seq.cli.options import utf8_text
from keras_seq2seq.search import Search
from keras_seq2seq.search import constraints
from keras_seq2seq.search.penalties import Coverage
from keras_seq2seq.search.penalties import LengthPenalty
from keras_seq2seq.utils import registry

PENALTIES = {"length_penalty": LengthPenalty, "coverage_penalty": Coverage}
ARGUMENTS = {  # of searches, by option
    "num_beams": {"type": at_least_one, "metavar": "N"},
    "num_groups": {"type": at_least_one, "metavar": "N"},
    "diversity_strength": {"type": float, "metavar": "X"},
    "max_length": {"type": at_least_one, "metavar": "N"},
    "min_length": {"type": at_least_one, "metavar": "N"},
    **{name: {} for name in PENALTIES},
    "patience": {"type": positive, "metavar": "X"},
    "temperature": {"type": positive, "metavar": "X"},
    "top_k": {"type": at_least_one, "metavar": "N"},
    "top_p": {"type": positive, "metavar": "X"},
    "min_p": {"type": positive, "metavar": "X"},
}


def add_search(parser) -> None:
    group = parser.add_argument_group(
        "search", "default: the search that was saved with the task"
    )
    add = group.add_argument
    add("--search", choices=sorted(registry.names(Search)))
    for name, settings in ARGUMENTS.items():
        if name in PENALTIES:  # here, since `--import` may have registered some
            known = sorted(registry.names(PENALTIES[name]))
            settings = {"choices": known}
        add(f"--{name.replace('_', '-')}", **settings)
    add("--no-repeat-ngram", type=at_least_one, metavar="N")
    add("--repetition-penalty", type=positive, metavar="X")
    add(
        "--length-ratio",
        type=float,
        nargs=2,
        metavar=("LEAST", "MOST"),
        help="length of an answer divided by that of its text, in tokens",
    )
    add(
        "--ban",
        nargs="+",
        type=utf8_text,
        metavar="TOKEN",
        help="tokens that must not occur",
    )


def make_search(options, task) -> Search:
    """The search in the options, by default the task's, with its options.

    By default, any search has the `max_length` of the task's.
    """
    search = task.search
    if options.search is not None:
        search = registry.get(
            options.search, Search, "--search", max_length=search.max_length
        )
    given = {name: getattr(options, name) for name in ARGUMENTS}
    changes = {name: x for name, x in given.items() if x is not None}
    unknown = sorted(changes.keys() - search.get_config().keys())
    if unknown:
        raise ValueError(
            f"`--{unknown[0].replace('_', '-')}` is no option of a "
            f"`{type(search).__name__}`. Choose another --search."
        )
    added = _constraints(options, task.target_tokenizer.vocabulary)
    if added:
        changes["constraints"] = [*search.constraints, *added]
    return search.replace(**changes) if changes else search


def _constraints(options, vocabulary):
    added = []
    if options.no_repeat_ngram is not None:
        added.append(constraints.NoRepeatNgram(options.no_repeat_ngram))
    if options.repetition_penalty is not None:
        added.append(constraints.RepetitionPenalty(options.repetition_penalty))
    if options.length_ratio is not None:
        least, most = options.length_ratio
        added.append(constraints.LengthRatio(least, maximum=most))
    if options.ban is not None:
        ids = [_id_of(token, vocabulary) for token in options.ban]
        added.append(constraints.BannedTokens(ids))
    return added


def _id_of(token, vocabulary):
    token_id = vocabulary.token_to_id(token)
    if vocabulary.id_to_token(token_id) != token:
        raise ValueError(
            "`--ban` takes tokens of the target's vocabulary. Received: "
            f"--ban {token}"
        )
    return token_id
