"""Selection of the signatures of an export."""

from keras_seq2seq.export.names import DEFAULT
from keras_seq2seq.export.names import OPTIONAL
from keras_seq2seq.export.names import RESERVED
from keras_seq2seq.export.names import SAMPLE
from keras_seq2seq.export.names import STANDARD
from keras_seq2seq.export.names import check_name
from keras_seq2seq.export.searches import check_inputs
from keras_seq2seq.export.searches import make_sampling
from keras_seq2seq.export.searches import resolve_searches
from keras_seq2seq.export.signatures import Attention
from keras_seq2seq.export.signatures import Best
from keras_seq2seq.export.signatures import NBest
from keras_seq2seq.export.signatures import Score
from keras_seq2seq.export.signatures import Signature
from keras_seq2seq.export.signatures import TokenIds
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_choice
from keras_seq2seq.utils.checks import is_collection


def list_names():
    """List of the names of all signatures, those of users included."""
    found = registry.names(Signature).items()
    users = sorted(name for name, cls in found if not registry.is_own(cls))
    return [*STANDARD, *users]


def resolve_signatures(signatures):
    """Check a list of signatures, and make instances of those of users.

    Args:
        signatures: List of names, configs or instances of `Signature`.

    Returns:
        List of names of standard signatures, and of `Signature` instances.
    """
    if not is_collection(signatures) or isinstance(signatures, dict):
        raise TypeError(
            "`signatures` must be a list. Received: signatures of type "
            f"`{type(signatures).__name__}`. Put a single one into a list."
        )
    found = []
    for entry in signatures:
        if isinstance(entry, str):
            check_choice(entry, "signatures", list_names())
        if entry not in STANDARD:
            entry = registry.get(entry, Signature, "signatures")
        found.append(entry)
    return found


def select_signatures(parts, signatures, searches):
    """Make and build the signatures of an export.

    Args:
        parts: `Parts`.
        signatures: List as for `resolve_signatures`, or `None` for the
            default ones.
        searches: Dict of name -> `Search`, its name or config; or `None`.

    Returns:
        Dict of name -> `Signature`.
    """
    if signatures is None:
        signatures = _default_names(parts.source)
    signatures = [DEFAULT, *resolve_signatures(signatures)]
    found = {n: x for n, x in _standard(parts.task).items() if n in signatures}
    for name, search in resolve_searches(searches).items():
        found[name] = _of_search(search, name)
    for signature in signatures:
        if signature not in STANDARD:
            name = signature.name
            check_name(name, "signatures", [*STANDARD, *RESERVED, *found])
            if signature.search is not None:
                check_inputs(signature.search, f"signatures, {name}")
            # A copy: building changes it.
            found[name] = type(signature).from_config(signature.get_config())
    for signature in found.values():
        signature.build(parts)
    return found


def _standard(task):
    check_inputs(task.search, "task.search")
    found = (
        Best(task.search, name=DEFAULT),
        NBest(name="n_best"),
        Score(),
        TokenIds(),
        Attention(),
        _of_search(make_sampling(task.search), SAMPLE),
    )
    return {signature.name: signature for signature in found}


def _default_names(source):
    without = OPTIONAL if source.tokenizer else (*OPTIONAL, "token_ids")
    return [name for name in STANDARD if name not in without]


def _of_search(search, name):
    """Signature with the best answer of a search, or with its n-best."""
    return (Best if search.n_best == 1 else NBest)(search, name=name)
