"""Nested structures."""


def plain(nested):
    """Replace Keras's tracked lists, tuples and dicts by plain ones."""
    if isinstance(nested, dict):
        return {name: plain(entry) for name, entry in nested.items()}
    if isinstance(nested, (list, tuple)):
        kind = tuple if isinstance(nested, tuple) else list
        return kind(plain(entry) for entry in nested)
    return nested
