import abc


class ServedSource(abc.ABC):
    """Abstract: the sources of a task, as the requests to a server hold them.

    Signatures of a served model ask this object which tensors a request has,
    and how they become the inputs of the model. Nothing else in an export
    knows whether a source is a text, a picture or a sound.

    Examples are single requests, without the batch axis, in whatever form a
    subclass chooses.

    Args:
        task: Task.
        max_length: Integer. Longer sources are cut.
        asset_folder: Path of a folder for the files that the graph reads.
    """

    graph = None  # `tf.Module` to be saved with the model, if `read` needs one
    tokenizer = None  # `Tokenizer` of a single source of token ids

    def __init__(self, task, max_length, asset_folder):
        self.task = task
        self.max_length = max_length

    @property
    @abc.abstractmethod
    def inputs(self):
        """Dict of name -> `ServedInput`, the tensors of a request."""

    @abc.abstractmethod
    def read(self, inputs):
        """Inputs of the model for a request, computed with TensorFlow ops.

        Args:
            inputs: Dict of name -> tensor, with at least one row.

        Returns:
            Dict of name -> tensor; and the lengths of the sources, integers
            of shape `(batch_size,)`, or `None` for sources without lengths
            and for several sources.
        """

    def words(self, inputs):
        """What may be copied from a source: strings `(batch_size, length)`.

        Args:
            inputs: As for `read`.
        """
        raise NotImplementedError(
            f"`{type(self).__name__}` has no words to copy from a source."
        )

    @abc.abstractmethod
    def examples(self, sources):
        """List of one example for each source, as users of the task have it."""

    @abc.abstractmethod
    def made_up(self, length):
        """An example with a source of this length."""

    @abc.abstractmethod
    def length(self, example):
        """Length of an example's source, before it is cut."""

    @abc.abstractmethod
    def request(self, examples):
        """Dict of name -> array, one row for each example."""
