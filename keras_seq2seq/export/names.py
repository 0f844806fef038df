"""Names of signatures."""

import re

DEFAULT = "serving_default"  # always exported
SAMPLE = "sample"
OPTIONAL = ("attention",)  # exported only on request
STANDARD = (DEFAULT, "n_best", "score", "token_ids", SAMPLE, *OPTIONAL)
# Attributes of a loaded SavedModel.
RESERVED = (
    "non_trainable_variables",
    "signatures",
    "trainable_variables",
    "variables",
)


def check_name(name, argument, taken):
    """Raise unless this can be the name of one more signature."""
    is_name = isinstance(name, str) and re.fullmatch("[a-z][a-z0-9_]*", name)
    if not is_name or name in taken:
        raise ValueError(
            f"The names of `{argument}` must be small letters, digits and "
            f"underscores, and none of {sorted(taken)}. Received: {name!r}"
        )
