import tensorflow as tf

from keras_seq2seq.export.signatures.n_best import NBest


class Attention(NBest):
    """Several answers, and what each layer and head attended to.

    `text` to `texts`, `scores` and `lengths` `(batch, n_best)`,
    `attention_scores` `(batch, n_best, layers, heads, longest target, longest
    source)` and `source_lengths` `(batch,)`.
    """

    output_meanings = {
        **NBest.output_meanings,
        "attention_scores": "(batch, n_best, layers, heads, longest target, "
        "longest source), zero beyond an answer's and a source's length",
    }
    return_attention_scores = "by_layer"

    def __call__(self, inputs):
        found = super().__call__(inputs)
        layers = found["attention_scores"].values()
        return {**found, "attention_scores": tf.stack([*layers], axis=2)}
