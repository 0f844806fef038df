import abc


class ServedSource(abc.ABC):
    """Abstract source of a served model: converts requests to model inputs.

    It defines the tensors of a request, and how they become the inputs of the
    model. It is the only part of an export that depends on whether a source is
    text, an image or audio.

    Examples are single requests, without the batch axis, in a form chosen by
    the subclass.

    Args:
        task: Task.
        max_length: Integer. Longer sources are truncated.
        asset_folder: Path of a folder for the asset files of the graph.
    """

    graph = None  # `tf.Module` to save with the model, if `read` needs one
    tokenizer = None  # `Tokenizer` of a single source of token ids

    def __init__(self, task, max_length, asset_folder):
        self.task = task
        self.max_length = max_length

    @property
    @abc.abstractmethod
    def inputs(self):
        """Dict of name -> `ServedInput` of the tensors of a request."""

    @abc.abstractmethod
    def read(self, inputs):
        """Compute the model's inputs of a request with TensorFlow ops.

        Args:
            inputs: Dict of name -> tensor, with at least one row.

        Returns:
            Dict of name -> tensor, and the lengths of the sources: integers of
            shape `(batch_size,)`, or `None` for sources without lengths and for
            several sources.
        """

    def words(self, inputs):
        """Words that can be copied: strings of shape `(batch_size, length)`.

        Args:
            inputs: As for `read`.
        """
        raise NotImplementedError(
            f"`{type(self).__name__}` has no words to copy from a source."
        )

    @abc.abstractmethod
    def examples(self, sources):
        """Convert sources, as passed to the task, to a list of examples."""

    @abc.abstractmethod
    def made_up(self, length):
        """Create an example with a source of the given length."""

    @abc.abstractmethod
    def length(self, example):
        """Length of an example's source before truncation."""

    @abc.abstractmethod
    def request(self, examples):
        """Batch examples to a dict of name -> array."""
