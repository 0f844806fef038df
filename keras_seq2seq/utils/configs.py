"""Default configs, and the differences between two configs."""

import inspect


def config_of_nothing(instance):
    """Return `{}`, the config of an object without constructor arguments.

    Raises where the constructor takes arguments, which a config must hold.
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
    """Describe the differences between two nested configs: list of strings."""
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
