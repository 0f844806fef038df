import keras
from keras import ops

from keras_seq2seq.export.signatures.n_best import NBest

OUTPUTS = {  # by the kind of attention
    "memory": "attention_scores",
    "encoder": "encoder_attention_scores",
    "decoder": "decoder_attention_scores",
}


@keras.saving.register_keras_serializable("keras_seq2seq")
class Attention(NBest):
    """Several answers, and the attention scores of each layer and head.

    Outputs are those of `NBest`, with `attention_scores` `(batch, n_best,
    layers, heads, longest target, longest source)`. Where the model has
    self-attention, also `encoder_attention_scores` `(batch, layers, heads,
    longest source, longest source)` and `decoder_attention_scores` `(batch,
    n_best, layers, heads, longest target, longest target)`.

    Args:
        search, name: As for `Signature`.
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

    def call(self, inputs):
        found = self.find(inputs, attention=True)
        for kind, layers in found.pop("attention_scores").items():
            axis = 1 if kind == "encoder" else 2  # after `n_best`
            found[OUTPUTS[kind]] = ops.stack([*layers.values()], axis=axis)
        return {n: x for n, x in found.items() if n in self.output_meanings}
