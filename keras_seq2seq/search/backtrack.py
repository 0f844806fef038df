from keras import ops

from keras_seq2seq.ops import gather_beams
from keras_seq2seq.ops import write_time
from keras_seq2seq.search.search import IMPOSSIBLE


def backtrack(record, pad_token_id):
    """Token ids of the finished hypotheses, by one walk back in time.

    Args:
        record: Dict of a beam search's loop: `tokens` and `parents` of the
            live beams, `(max_length, batch_size, num_beams)`; `finished`, with
            the last token of each hypothesis, the beam it came from, its
            length and its score, `(batch_size, n_best)`; and `index`, the
            number of steps taken.
        pad_token_id: Integer.

    Returns:
        Dict of `token_ids`, `lengths` and `scores`.
    """
    finished, history = record["finished"], record["tokens"]
    exists = finished["scores"] > IMPOSSIBLE / 2
    lengths = ops.where(exists, finished["lengths"], 0)
    shape = (history.shape[0], *ops.shape(lengths))

    def walk(time, beams, token_ids):
        time = time - 1
        last, before = time == lengths - 1, time < lengths - 1
        token = gather_beams(ops.take(history, time, axis=0), beams)
        parent = gather_beams(ops.take(record["parents"], time, axis=0), beams)
        token = ops.where(before, token, pad_token_id)
        token = ops.where(last, finished["tokens"], token)
        beams = ops.where(before, parent, beams)
        return time, beams, write_time(token_ids, time, token)

    _, _, token_ids = ops.while_loop(
        lambda time, beams, token_ids: time > 0,
        walk,
        (
            record["index"],
            finished["parents"],
            ops.full(shape, pad_token_id, "int32"),
        ),
    )
    return {
        "token_ids": ops.transpose(token_ids, (1, 2, 0)),
        "lengths": lengths,
        "scores": ops.where(exists, finished["scores"], IMPOSSIBLE),
    }
