from keras_seq2seq.export.signatures.signature import Signature


class Best(Signature):
    """The best answer: `text` to `text` and `score`, all `(batch,)`."""

    output_meanings = {
        "text": "the best answer",
        "score": "of the best answer; -1e9 where there is none",
    }

    def __init__(self, parts, search):
        super().__init__(parts, search.with_n_best(1))
        self.inference = parts.inference(self.search)

    def __call__(self, inputs):
        inputs, _ = self.encoded(inputs)
        found = self.inference(inputs)
        return {
            "text": self.parts.tables.target.decode(found["token_ids"][:, 0]),
            "score": found["scores"][:, 0],
        }
