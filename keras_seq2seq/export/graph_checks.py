"""Checks that stock TensorFlow Serving will load a SavedModel."""

import pathlib

FORBIDDEN = ("Xla", "Cudnn", "PyFunc", "EagerPyFunc", "StatefulPyFunc")
COMPILED = "_XlaMustCompile"


def check_graph(folder):
    """Raise unless the SavedModel in `folder` runs in a stock server.

    Such a server has no XLA, no Python, and perhaps no GPU. A custom layer may
    need any of these.
    """
    for function, attributes, nodes in read_functions(folder):
        problems = [_problem(node) for node in nodes]
        if COMPILED in attributes and attributes[COMPILED].b:
            problems.append("compiled by XLA")
        for problem in filter(None, problems):
            raise ValueError(
                "A served graph must have only core TensorFlow ops that run on "
                f"any device. Received: function {function!r} with {problem}. "
                "Use other ops in the layer that contains it."
            )


def check_files(folder):
    """Raise if a file that the SavedModel reads is missing."""
    folder = pathlib.Path(folder)
    wanted = ["variables/variables.index", "variables/variables.data-*"]
    for meta_graph in read_saved_model(folder).meta_graphs:
        wanted += [f"assets/{x.filename}" for x in meta_graph.asset_file_def]
    for pattern in wanted:
        if not any(folder.glob(pattern)):
            raise ValueError(
                "A SavedModel must have its weights and assets in its folder. "
                f"Received: {folder} without {pattern}. Export it again, or "
                "copy the whole folder."
            )


def read_functions(folder):
    """Yield name, attributes and nodes of each function in a SavedModel."""
    for meta_graph in read_saved_model(folder).meta_graphs:
        graph = meta_graph.graph_def
        yield "main", {}, graph.node
        for function in graph.library.function:
            yield function.signature.name, function.attr, function.node_def


def read_saved_model(folder):
    """The message in `saved_model.pb`."""
    from tensorflow.core.protobuf import saved_model_pb2

    saved = saved_model_pb2.SavedModel()
    path = pathlib.Path(folder) / "saved_model.pb"
    saved.ParseFromString(path.read_bytes())
    return saved


def _problem(node):
    if node.op.startswith(FORBIDDEN):
        return f"the op {node.op}"
    if node.device and "CPU" not in node.device:
        return f"the op {node.op} on the device {node.device!r}"
    return None
