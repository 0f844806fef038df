import numpy as np
import tensorflow as tf

from keras_seq2seq.export.signatures.signature import Signature
from keras_seq2seq.ops import length_mask


class TokenIds(Signature):
    """The search without text, for those who tokenize by themselves.

    `token_ids` `(batch, length)` and `lengths` `(batch,)` to `token_ids`
    `(batch, n_best, max_length)`, `scores` and `lengths` `(batch, n_best)`.
    What stands beyond a row's length is never read: a server that merges
    requests fills it with whatever comes first. An id outside the vocabulary
    is an error, never an answer.
    """

    source_specs = {
        "token_ids": tf.TensorSpec([None, None], tf.int32, name="token_ids"),
        "lengths": tf.TensorSpec([None], tf.int32, name="lengths"),
    }
    source_meanings = {
        "token_ids": "of the source; an id outside its vocabulary is an error",
        "lengths": "of the sources, in tokens",
    }
    output_meanings = {
        "token_ids": "best first, padded with 0 after the end token",
        "scores": "best first; -1e9 where there is no answer",
        "lengths": "in tokens, the end token counted; 0 for no answer",
    }

    def __init__(self, parts, search):
        super().__init__(parts, search)
        self.inference = parts.inference(search)

    def __call__(self, inputs):
        inputs = dict(inputs)
        source = self._cleaned(inputs.pop("token_ids"), inputs.pop("lengths"))
        found = self.inference(self._with_source(inputs, source))
        return {name: found[name] for name in self.output_meanings}

    def _cleaned(self, token_ids, lengths):
        """Ids of the vocabulary, one column at least, cut and padded."""
        vocabulary = self.parts.task.source_tokenizer.vocabulary
        token_ids = tf.pad(token_ids, [[0, 0], [0, 1]])
        lengths = tf.clip_by_value(lengths, 0, tf.shape(token_ids)[1] - 1)
        lengths = tf.minimum(lengths, self.parts.max_source_length)
        longest = tf.maximum(tf.reduce_max(lengths), 1)
        real = length_mask(lengths, longest)
        token_ids = tf.where(
            real, token_ids[:, :longest], vocabulary.pad_token_id
        )
        return _known(token_ids, len(vocabulary))

    def _sources(self, texts):
        tokenizer = self.parts.task.source_tokenizer
        rows = [tokenizer.encode(text) for text in texts]
        lengths = np.array([len(row) for row in rows], "int32")
        token_ids = np.zeros((len(rows), max([*lengths, 1])), "int32")
        for row, ids in zip(token_ids, rows):
            row[: len(ids)] = ids
        return {"token_ids": token_ids, "lengths": lengths}


def _known(token_ids, size):
    """The ids, or an error of the graph where one is of no vocabulary."""
    least, most = tf.reduce_min(token_ids), tf.reduce_max(token_ids)
    check = tf.debugging.Assert(
        (least >= 0) & (most < size),
        [
            f"`token_ids` must hold ids from 0 to {size - 1}. Received: from",
            least,
            "to",
            most,
        ],
    )
    with tf.control_dependencies([check]):
        return tf.identity(token_ids)
