"""The record: what the loop of a search hands on from step to step.

Each entry is `(axes, dtype, value before the first step)`. `rows` are all live
hypotheses, `batch_size * width`. `log_probs` are kept only if asked for.
"""

from keras import ops

from keras_seq2seq.search.special import IMPOSSIBLE

HISTORY = ("max_length", "batch_size", "width")
FINISHED = ("batch_size", "n_best")

# Every search has these two, and:
#     "cache", the step's own: a search hands it on as it is;
#     "carried", what belongs to each live hypothesis and follows it, nested
#     tensors with `rows` in front:
#         "states", of the model; "constraints", a list of theirs;
#         "attended", (rows, Tv) float32, sums of attention, for a coverage;
#         "prefixes", (rows,) int32, of a `DiverseBeamSearch`.
RECORD = {
    "index": ((), "int32", 0),  # number of tokens so far
    "last": (("rows",), "int32", "start_token_ids"),  # the latest tokens
}
PATH_RECORD = {
    "tokens": (("max_length", "rows"), "int32", "pad_token_id"),
    "log_probs": (("max_length", "rows"), "float32", 0.0),
    "scores": (("rows",), "float32", 0.0),
    "lengths": (("rows",), "int32", 0),
    "done": (("rows",), "bool", False),
}
BEAM_RECORD = {
    "live": (("batch_size", "width"), "float32", 0.0),  # log-probabilities
    "history": {  # the live beams of each step; `backtrack` reads it
        "tokens": (HISTORY, "int32", "pad_token_id"),
        "parents": (HISTORY, "int32", 0),
        "log_probs": (HISTORY, "float32", 0.0),
    },
    "finished": {  # the best finished hypotheses: their last step
        "tokens": (FINISHED, "int32", "pad_token_id"),
        "parents": (FINISHED, "int32", 0),
        "log_probs": (FINISHED, "float32", 0.0),
        "scores": (FINISHED, "float32", IMPOSSIBLE),
        "lengths": (FINISHED, "int32", 0),
    },
    "count": (("batch_size",), "int32", 0),  # of all that have finished
    "done": (("batch_size",), "bool", False),
}


def first_record(fields, context, sizes):
    """The record before the first step: tensors nested like `fields`.

    Args:
        fields: Nested dict of entries as above.
        context: `StepContext`.
        sizes: Dict of name -> size of all axes.
    """

    def first(entry):
        if isinstance(entry, dict):
            return first_record(entry, context, sizes)
        axes, dtype, value = entry
        shape = tuple(sizes[axis] for axis in axes)
        if isinstance(value, str):
            value = ops.cast(getattr(context, value), dtype)
            return ops.zeros(shape, dtype) + value
        return ops.full(shape, value, dtype)

    return {
        name: first(entry)
        for name, entry in fields.items()
        if name != "log_probs" or context.return_log_probs
    }
