import dataclasses
import os
import typing

from keras_seq2seq.models import InferenceModel
from keras_seq2seq.search import Search
from keras_seq2seq.tasks import ServedSource
from keras_seq2seq.tasks import Task


@dataclasses.dataclass(frozen=True)
class Parts:
    """What the signatures of an export share.

    Args:
        task: Task.
        source: `ServedSource` of the task.
        target: `tf.Module`, the graph of the target's tokenizer.
        search: `Search` of the signatures that have none of their own.
        replace_unknown: Boolean. Whether an unknown token of an answer is
            replaced by the source token that it attended to most.
    """

    task: Task
    source: ServedSource
    target: typing.Any
    search: Search
    replace_unknown: bool = False

    @classmethod
    def of(cls, task, search, folder, *, max_source_length, replace_unknown):
        """The parts of an export of a task, with the graphs of both sides.

        Args:
            task, search, replace_unknown: As for the constructor.
            folder: Path of a temporary folder for files of the graphs.
            max_source_length: Integer. Longer sources are cut.
        """
        source, target = (os.path.join(folder, x) for x in ("source", "target"))
        return cls(
            task,
            task.served_source(max_source_length, source),
            task.target_tokenizer.graph(target),
            search,
            replace_unknown,
        )

    def inference(self, search, **kwargs):
        """`InferenceModel` of a search; all share the task's weights."""
        return InferenceModel(
            self.task.model, search, **self.special_tokens, **kwargs
        )

    @property
    def special_tokens(self):
        """Ids of the start and the end token of a target, as arguments."""
        vocabulary = self.task.target_tokenizer.vocabulary
        return {
            "start_token_id": vocabulary.start_token_id,
            "end_token_id": vocabulary.end_token_id,
        }

    @property
    def vocabulary_size(self):
        """Number of tokens of the target."""
        return len(self.task.target_tokenizer.vocabulary)
