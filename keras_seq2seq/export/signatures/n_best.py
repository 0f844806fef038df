import keras

from keras_seq2seq.export.signatures.answers import Answers


@keras.saving.register_keras_serializable("keras_seq2seq")
class NBest(Answers):
    """Several answers, best first, with their attention scores.

    Outputs are `texts`, `scores` and `lengths` `(batch, n_best)`,
    `attention_scores` `(batch, n_best, longest target, longest source)` and,
    where the sources have lengths, `source_lengths` `(batch,)`.

    Args:
        search, name: As for `Signature`.
    """

    output_meanings = {
        "texts": "best first; '' where there is no answer",
        "scores": "best first; -1e9 where there is no answer",
        "lengths": "in tokens, the end token counted; 0 for no answer",
        "attention_scores": "(batch, n_best, longest target, longest source), "
        "zero beyond an answer's and a source's length",
        "source_lengths": "in tokens, after the cut",
    }

    def call(self, inputs):
        found = self.find(inputs, attention=True)
        return {n: x for n, x in found.items() if n in self.output_meanings}
