"""Diagnosis of refused requests."""

KINDS = {"O": "DT_STRING", "S": "DT_STRING", "U": "DT_STRING"}
DTYPES = {
    "int32": "DT_INT32",
    "int64": "DT_INT64",
    "float32": "DT_FLOAT",
    "float64": "DT_DOUBLE",
    "bool": "DT_BOOL",
}


def find_problem(signature, inputs, signatures):
    """Describe the first problem of a request; `None` if there is none.

    Args:
        signature: String, its name.
        inputs: Dict of name -> array.
        signatures: Dict of name -> dict with the `inputs`, a dict of name ->
            dict of `dtype` and `shape`.
    """
    if signature not in signatures:
        return (
            f"The model has the signatures {sorted(signatures)}. Received: "
            f"signature={signature!r}"
        )
    wanted = signatures[signature]["inputs"]
    if inputs.keys() != wanted.keys():
        missing = sorted(wanted.keys() - inputs.keys())
        extra = sorted(inputs.keys() - wanted.keys())
        return (
            f"The signature {signature!r} takes the inputs {sorted(wanted)}. "
            f"Received: {sorted(inputs)}. Missing: {missing}, unexpected: "
            f"{extra}"
        )
    for name, spec in wanted.items():
        problem = _problem(name, inputs[name], spec)
        if problem:
            return problem
    rows = {name: len(value) for name, value in inputs.items()}
    if len(set(rows.values())) > 1:
        return f"All inputs must have as many rows. Received: rows={rows}"
    return None


def _problem(name, value, spec):
    found = KINDS.get(value.dtype.kind, DTYPES.get(str(value.dtype)))
    if found != spec["dtype"]:
        return (
            f"The input `{name}` must have the dtype {spec['dtype']}. "
            f"Received: {name} of dtype {value.dtype}"
        )
    shape = spec["shape"]
    fits = shape is None or (
        len(shape) == value.ndim
        and all(a in (-1, b) for a, b in zip(shape, value.shape))
    )
    if not fits:
        return (
            f"The input `{name}` must have the shape {tuple(shape)}, where -1 "
            f"is any size. Received: {name} of shape {value.shape}"
        )
    return None
