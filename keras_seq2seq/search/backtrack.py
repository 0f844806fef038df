from keras import ops

from keras_seq2seq.ops import gather_beams
from keras_seq2seq.ops import write_time
from keras_seq2seq.search.special import IMPOSSIBLE
from keras_seq2seq.search.special import possible


def backtrack(record, pad_token_id):
    """The finished hypotheses, by one walk back in time.

    Args:
        record: Dict of a beam search's loop. `history`: what was live at each
            step, `parents` and others, such as `tokens`,
            `(max_length, batch_size, num_beams)`. `finished`: the same of the
            last token of each hypothesis, and its `lengths` and `scores`,
            `(batch_size, n_best)`. `index`, the number of steps taken.
        pad_token_id: Integer.

    Returns:
        What a call of a search returns.
    """
    finished, history = record["finished"], dict(record["history"])
    parents = history.pop("parents")
    exists = possible(finished["scores"])
    lengths = ops.where(exists, finished["lengths"], 0)
    empty = {"tokens": pad_token_id, "log_probs": 0.0}
    shape = (parents.shape[0], *ops.shape(lengths))

    def walk(time, beams, results):
        time = time - 1
        last, before = time == lengths - 1, time < lengths - 1
        new = {}
        for name, x in history.items():
            entry = gather_beams(ops.take(x, time, axis=0), beams)
            entry = ops.where(before, entry, empty[name])
            entry = ops.where(last, finished[name], entry)
            new[name] = write_time(results[name], time, entry)
        parent = gather_beams(ops.take(parents, time, axis=0), beams)
        return time, ops.where(before, parent, beams), new

    first = {
        name: ops.full(shape, empty[name], x.dtype)
        for name, x in history.items()
    }
    *_, results = ops.while_loop(
        lambda time, beams, results: time > 0,
        walk,
        (record["index"], finished["parents"], first),
    )
    results = {name: ops.transpose(x, (1, 2, 0)) for name, x in results.items()}
    results["token_ids"] = results.pop("tokens")
    if "log_probs" in results:
        results["total_log_probs"] = ops.sum(results["log_probs"], axis=-1)
    scores = ops.where(exists, finished["scores"], IMPOSSIBLE)
    return {**results, "lengths": lengths, "scores": scores}
