import tensorflow as tf

from keras_seq2seq.export.signatures.answers import Answers


class Attention(Answers):
    """Several answers, and what each layer and head attended to.

    `text` to `texts`, `scores` and `lengths` `(batch, n_best)`,
    `attention_scores` `(batch, n_best, layers, heads, longest target, longest
    source)` and `source_lengths` `(batch,)`.
    """

    output_meanings = {
        "texts": "best first; '' where there is no answer",
        "scores": "best first; -1e9 where there is no answer",
        "lengths": "in tokens, the end token counted; 0 for no answer",
        "attention_scores": "(batch, n_best, layers, heads, longest target, "
        "longest source), zero beyond an answer's and a source's length",
        "source_lengths": "in tokens, after the cut",
    }
    return_attention_scores = "by_layer"

    def __call__(self, inputs):
        found = self.find(inputs, attention=True)
        layers = found["attention_scores"].values()
        found["attention_scores"] = tf.stack([*layers], axis=2)
        return {name: found[name] for name in self.output_meanings}
