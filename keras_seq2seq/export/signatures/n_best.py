from keras_seq2seq.export.signatures.answers import Answers


class NBest(Answers):
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

    def __call__(self, inputs):
        found = self.find(inputs, attention=True)
        return {name: found[name] for name in self.output_meanings}
