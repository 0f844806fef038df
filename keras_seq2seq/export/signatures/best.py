from keras_seq2seq.export.signatures.answers import Answers


class Best(Answers):
    """The best answer: `text` to `text` and `score`, all `(batch,)`."""

    output_meanings = {
        "text": "the best answer",
        "score": "of the best answer; -1e9 where there is none",
    }

    def __init__(self, parts, search):
        super().__init__(parts, search.with_n_best(1))

    def __call__(self, inputs):
        found = self.find(inputs)
        return {"text": found["texts"][:, 0], "score": found["scores"][:, 0]}
