import tensorflow as tf

from keras_seq2seq.export.signatures.n_best import NBest

NAMES = {
    "memory": "attention_scores",
    "encoder": "encoder_attention_scores",
    "decoder": "decoder_attention_scores",
}


class Attention(NBest):
    """Several answers, and what each layer and head attended to.

    `text` to `texts`, `scores` and `lengths` `(batch, n_best)`,
    `attention_scores` `(batch, n_best, layers, heads, longest target, longest
    source)` and `source_lengths` `(batch,)`. Where the model has
    self-attention, also `encoder_attention_scores` `(batch, layers, heads,
    longest source, longest source)` and `decoder_attention_scores` `(batch,
    n_best, layers, heads, longest target, longest target)`.
    """

    output_meanings = {
        **NBest.output_meanings,
        "attention_scores": "(batch, n_best, layers, heads, longest target, "
        "longest source), zero beyond an answer's and a source's length",
        "encoder_attention_scores": "(batch, layers, heads, longest source, "
        "longest source), how the source was read; zero beyond its length",
        "decoder_attention_scores": "(batch, n_best, layers, heads, longest "
        "target, longest target), to the start token and all tokens but the "
        "last; zero beyond an answer's length",
    }
    return_attention_scores = "by_layer"

    def __call__(self, inputs):
        found = self.find(inputs, attention=True)
        for kind, layers in found.pop("attention_scores").items():
            axis = 1 if kind == "encoder" else 2  # after `n_best`
            found[NAMES[kind]] = tf.stack([*layers.values()], axis=axis)
        return {n: x for n, x in found.items() if n in self.output_meanings}
