"""Checks of the answers of a server."""

import numpy as np

from keras_seq2seq.export.client.errors import BadAnswer

KINDS = {  # NumPy's kinds of each dtype, its own first
    "DT_STRING": "O",
    "DT_BOOL": "b",
    **dict.fromkeys(["DT_HALF", "DT_FLOAT", "DT_DOUBLE"], "fiu"),
    **dict.fromkeys(["DT_INT8", "DT_INT16", "DT_INT32", "DT_INT64"], "iu"),
    **dict.fromkeys(["DT_UINT8", "DT_UINT16", "DT_UINT32"], "iu"),
    "DT_UINT64": "iu",
}


def check_outputs(outputs, specs):
    """Check the outputs of a signature, and convert them to its dtypes.

    Raises `BadAnswer` if they do not fit.

    Args:
        outputs: Dict of name -> array.
        specs: Dict of name -> dict of `dtype` and `shape`; empty if
            unknown.

    Returns:
        Dict of name -> array.
    """
    if specs and outputs.keys() != specs.keys():
        raise BadAnswer(
            f"An answer must have the outputs {sorted(specs)}. Received: "
            f"outputs {sorted(outputs)}"
        )
    return {
        name: _typed(name, x, specs[name]) if specs else x
        for name, x in outputs.items()
    }


def _typed(name, value, spec):
    kinds = KINDS.get(spec["dtype"], value.dtype.kind)
    if not value.size:  # an empty list in JSON has no dtype and no axes
        return value.astype(kinds[0])
    if value.dtype.kind not in kinds or not _fits(value.shape, spec["shape"]):
        raise BadAnswer(
            f"The output `{name}` must have the dtype {spec['dtype']} and the "
            f"shape {spec['shape']}, where -1 is any size. Received: {name} of "
            f"dtype {value.dtype} and shape {value.shape}"
        )
    if kinds[0] == "f":  # JSON may write 1.0 as 1
        return value.astype(np.result_type(value, np.float16))
    return value


def _fits(shape, expected):
    return expected is None or (
        len(shape) == len(expected)
        and all(a in (-1, b) for a, b in zip(expected, shape))
    )


def split_rows(outputs, count):
    """Split the outputs of a batch into rows, without their padding."""
    if any(np.ndim(x) == 0 or len(x) != count for x in outputs.values()):
        shapes = {name: x.shape for name, x in outputs.items()}
        raise BadAnswer(
            f"An answer must have as many rows as the request, {count}. "
            f"Received: outputs of the shapes {shapes}"
        )
    rows = [{n: x[row] for n, x in outputs.items()} for row in range(count)]
    try:
        return list(map(_trimmed, rows))
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise BadAnswer(
            "An answer must have the outputs of a signature of this library. "
            f"Received: outputs {sorted(outputs)} ({error!r})"
        ) from error


def _trimmed(row):
    if "attention_scores" in row:
        target = max(_longest(row["lengths"]), 1)
        source = None  # not known: keep all columns
        if "source_lengths" in row:
            source = _longest(row["source_lengths"])
        for name, (rows, columns) in {
            "attention_scores": (target, source),
            "encoder_attention_scores": (source, source),
            "decoder_attention_scores": (target, target),
        }.items():
            if name in row:
                row[name] = row[name][..., :rows, :columns]
    if "target_lengths" in row:
        length = _longest(row["target_lengths"])
        row["token_log_probs"] = row["token_log_probs"][:length]
    return row


def _longest(lengths):
    lengths = np.asarray(lengths)
    if lengths.dtype.kind not in "iu" or lengths.min() < 0:
        raise ValueError("lengths must be integers of at least 0")
    return int(lengths.max())
