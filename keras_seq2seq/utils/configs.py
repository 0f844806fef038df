"""Configs: of plain objects, and what differs between two."""

import inspect


def config_of_nothing(instance):
    """`{}`, the config of an object whose constructor takes no argument.

    Raises where it takes some: two objects would have the same config.
    """
    arguments = [*inspect.signature(type(instance)).parameters]
    if arguments:
        name = type(instance).__name__
        raise NotImplementedError(
            f"`{name}.get_config` must give every argument of the "
            f"constructor. Received: a `{name}` without a `get_config` of its "
            f"own, and the arguments {arguments}."
        )
    return {}


def config_changes(before, after, path="config"):
    """What differs between two nested configs: a list, in words."""
    lists = isinstance(before, list) and isinstance(after, list)
    if lists and len(before) == len(after):
        return [
            change
            for i, entries in enumerate(zip(before, after))
            for change in config_changes(*entries, f"{path}[{i}]")
        ]
    if isinstance(before, dict) and isinstance(after, dict):
        return [
            change
            for name in {**before, **after}
            for change in config_changes(
                before.get(name), after.get(name), f"{path}.{name}"
            )
        ]
    if before == after or path.endswith("build_config"):
        return []
    return [f"{path} from {before!r} to {after!r}"]
