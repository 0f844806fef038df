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
    reads as an unknown token: an error would be one for the requests that a
    server has merged with this one, too.
    """

    source_specs = {
        "token_ids": tf.TensorSpec([None, None], tf.int32, name="token_ids"),
        "lengths": tf.TensorSpec([None], tf.int32, name="lengths"),
    }
    source_meanings = {
        "token_ids": "of the source; ids out of range read as unknown",
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
        token_ids = token_ids[:, :longest]
        known = (token_ids >= 0) & (token_ids < len(vocabulary))
        token_ids = tf.where(known, token_ids, vocabulary.unknown_token_id)
        real = length_mask(lengths, longest)
        return tf.where(real, token_ids, vocabulary.pad_token_id)

    def _sources(self, texts):
        tokenizer = self.parts.task.source_tokenizer
        rows = [tokenizer.encode(text) for text in texts]
        lengths = np.array([len(row) for row in rows], "int32")
        token_ids = np.zeros((len(rows), max([*lengths, 1])), "int32")
        for row, ids in zip(token_ids, rows):
            row[: len(ids)] = ids
        return {"token_ids": token_ids, "lengths": lengths}
