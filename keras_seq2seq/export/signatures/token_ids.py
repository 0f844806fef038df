import keras
import numpy as np
from keras import ops

from keras_seq2seq.export.signatures.signature import Signature
from keras_seq2seq.tasks import ServedInput
from keras_seq2seq.tasks.served_arrays import cut


@keras.saving.register_keras_serializable("keras_seq2seq")
class TokenIds(Signature):
    """The search without text, for clients that tokenize by themselves.

    `token_ids` `(batch, length)` and `lengths` `(batch,)` to `token_ids`
    `(batch, n_best, max_length)`, `scores` and `lengths` `(batch, n_best)`.
    Ids beyond a row's length are ignored: a server that merges requests pads
    them with whatever comes first. An id outside the vocabulary is read as an
    unknown token, since an error would also fail the other requests that the
    server has merged with this one.

    Args:
        search, name: As for `Signature`.
    """

    source_inputs = {
        "token_ids": ServedInput(
            "int32", (None,), "of the source; ids out of range read as unknown"
        ),
        "lengths": ServedInput("int32", (), "of the sources, in tokens"),
    }
    output_meanings = {
        "token_ids": "best first, padded with 0 after the end token",
        "scores": "best first; -1e9 where there is no answer",
        "lengths": "in tokens, the end token counted; 0 for no answer",
    }

    def build(self, parts):
        super().build(parts)
        if parts.source.tokenizer is None:
            raise ValueError(
                f"The signature `{self.name}` needs a task with one source of "
                f"token ids. Received: a `{type(parts.task).__name__}`. Leave "
                "it out of `signatures`."
            )
        self.inference = parts.inference(self.search)

    def call(self, inputs):
        source = self._checked(inputs["token_ids"], inputs["lengths"])
        name = self.parts.task.model.source.input_name
        found = self.inference(
            {name: source, **self.read_search_inputs(inputs)}
        )
        return {name: found[name] for name in self.output_meanings}

    def _checked(self, token_ids, lengths):
        """Ids of the vocabulary, cut and padded."""
        vocabulary = self.parts.source.tokenizer.vocabulary
        known = (token_ids >= 0) & (token_ids < len(vocabulary))
        token_ids = ops.where(known, token_ids, vocabulary.unknown_token_id)
        token_ids, _ = cut(
            token_ids,
            lengths,
            self.parts.source.max_length,
            vocabulary.pad_token_id,
        )
        return token_ids

    def source_example(self, examples):
        rows = self.parts.task.encode_source(examples)
        lengths = np.array([len(row) for row in rows], "int32")
        token_ids = np.zeros((len(rows), max([*lengths, 1])), "int32")
        for row, ids in zip(token_ids, rows):
            row[: len(ids)] = ids
        return {"token_ids": token_ids, "lengths": lengths}
