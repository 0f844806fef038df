import keras

from keras_seq2seq.export.signatures.answers import Answers


@keras.saving.register_keras_serializable("keras_seq2seq")
class Best(Answers):
    """The best answer: `text` and `score`, both `(batch,)`.

    Args:
        search, name: As for `Signature`.
    """

    output_meanings = {
        "text": "the best answer",
        "score": "of the best answer; -1e9 where there is none",
    }

    def build(self, parts):
        self.search = (self.search or parts.search).with_n_best(1)
        super().build(parts)

    def call(self, inputs):
        found = self.find(inputs)
        return {"text": found["texts"][:, 0], "score": found["scores"][:, 0]}
