import abc

from keras_seq2seq.tasks.served_arrays import ServedArrays


class SourceHooks(abc.ABC):
    """Abstract: what a task must know of its sources, and nothing else does.

    A source is whatever users hand to a task: a text, the path of a picture,
    an array of sound. It becomes a row, once; rows of about one length become
    a batch, the inputs of the model.
    """

    # What the two sides of a corpus are called in messages.
    corpus_sides = ("{}, source", "{}, target")

    @abc.abstractmethod
    def read_corpus(self, corpus, argument):
        """Sources, and a list of the right texts for each, or an error.

        Args:
            corpus: What was handed to `fit`, `batches` or `evaluate`.
            argument: String, what it is called in messages.
        """

    @abc.abstractmethod
    def check_sources(self, sources, argument="sources"):
        """The sources as a list, or an error that names the first wrong one."""

    @abc.abstractmethod
    def encode_source(self, sources, argument="sources"):
        """One row for each source: anything with a length, its positions."""

    @abc.abstractmethod
    def batch_sources(self, rows, length):
        """Dict of arrays, the inputs of the model, of rows padded to a length.

        The names of the inputs are those of the task's `source`. While the
        model trains this is called for each batch, from whatever thread: it
        must leave the task's `model` alone.

        Args:
            rows: List of what `encode_source` gave.
            length: Integer, at least 1, and at least the length of each row.
        """

    @abc.abstractmethod
    def source_labels(self, source):
        """What the columns of attention scores stand for: list of strings."""

    def served_source(self, max_length, asset_folder):
        """`ServedSource`: what requests to a served model hold of a source.

        By default the arrays of `batch_sources`, as the model reads them.

        Args:
            max_length: Integer. Longer sources are cut.
            asset_folder: Path of a folder for the files that the graph reads.
        """
        return ServedArrays(self, max_length, asset_folder)

    def source_words(self, sources):
        """What may take the place of an unknown token, or an error.

        Args:
            sources: List.

        Returns:
            List with a list for each source, as of
            `keras_seq2seq.tasks.copying.source_words`.
        """
        raise ValueError(
            "`replace_unknown` needs a source to copy words from. Received: "
            f"a `{type(self).__name__}`, whose sources have none. Leave it "
            "out."
        )
