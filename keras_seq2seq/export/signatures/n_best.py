import tensorflow as tf

from keras_seq2seq.export.signatures.signature import Signature


class NBest(Signature):
    """Several answers, best first, and what they attended to.

    `text` to `texts`, `scores` and `lengths` `(batch, n_best)`,
    `attention_scores` `(batch, n_best, longest target, longest source)` and
    `source_lengths` `(batch,)`.
    """

    output_meanings = {
        "texts": "best first; '' where there is no answer",
        "scores": "best first; -1e9 where there is no answer",
        "lengths": "in tokens, the end token counted; 0 for no answer",
        "attention_scores": "(batch, n_best, longest target, longest source), "
        "zero beyond an answer's and a source's length",
        "source_lengths": "in tokens, after the cut",
    }

    def __init__(self, parts, search):
        super().__init__(parts, search)
        self.inference = parts.inference(search)

    def __call__(self, inputs):
        inputs, lengths = self.encoded(inputs)
        found, begun = self.inference.find(inputs)
        longest = tf.maximum(tf.reduce_max(found["lengths"]), 1)
        found["token_ids"] = found["token_ids"][:, :, :longest]
        return {
            "texts": self.parts.tables.target.decode(found["token_ids"]),
            "scores": found["scores"],
            "lengths": found["lengths"],
            "attention_scores": self.inference.attention(found, begun),
            "source_lengths": lengths,
        }
