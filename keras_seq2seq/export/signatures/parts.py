import dataclasses

import tensorflow as tf

from keras_seq2seq.models import InferenceModel
from keras_seq2seq.tasks import Task


@dataclasses.dataclass(frozen=True)
class Parts:
    """What all signatures of a served task are made of.

    Args:
        task: Task whose sources are texts.
        tables: `tf.Module` with the graphs of both tokenizers, `source` and
            `target`.
        max_source_length: Integer. Sources are cut after as many tokens.
        replace_unknown: Boolean. Whether the source token that was attended
            to most, as it was written, takes the place of an unknown token in
            a text.
    """

    task: Task
    tables: tf.Module
    max_source_length: int
    replace_unknown: bool = False

    def inference(self, search, **kwargs):
        """`InferenceModel` of a search; all share the task's weights."""
        return InferenceModel(self.task.model, search, **self.marks, **kwargs)

    @property
    def marks(self):
        """Start and end token of a target, as arguments."""
        vocabulary = self.task.target_tokenizer.vocabulary
        return {
            "start_token_id": vocabulary.start_token_id,
            "end_token_id": vocabulary.end_token_id,
        }
