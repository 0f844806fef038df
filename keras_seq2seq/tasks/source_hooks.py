import abc

from keras_seq2seq.tasks.served_arrays import ServedArrays


class SourceHooks(abc.ABC):
    """Abstract hooks of a task for its kind of sources.

    A source is what users pass to a task, such as a text, the path of an image
    or an array of audio. Each source is encoded to a row. Rows of similar
    lengths are batched to the inputs of the model.
    """

    # Names of the two sides of a corpus in messages.
    corpus_sides = ("{}, source", "{}, target")

    @abc.abstractmethod
    def read_corpus(self, corpus, argument):
        """Return the sources, and a list of reference texts for each.

        Args:
            corpus: The argument of `fit`, `batches` or `evaluate`.
            argument: String. Its name in error messages.
        """

    @abc.abstractmethod
    def check_sources(self, sources, argument="sources"):
        """Return the sources as a list; raise for the first invalid one."""

    @abc.abstractmethod
    def encode_source(self, sources, argument="sources"):
        """Encode sources to rows; the length of a row is that of its source."""

    @abc.abstractmethod
    def batch_sources(self, rows, length):
        """Batch rows to a dict of arrays, the model's inputs.

        Names are those of the task's `source`. In training this is called for
        each batch, from any thread, so it must not use the task's `model`.

        Args:
            rows: List of rows from `encode_source`.
            length: Integer. Length to pad to, at least 1 and at least the
                length of each row.
        """

    @abc.abstractmethod
    def source_labels(self, source):
        """Labels of the columns of attention scores: list of strings."""

    def encode_stream(self, corpus, cache_folder):
        """Encode a `StreamedCorpus` to an `EncodedCorpus`; see `encode_corpus`.

        By default a task reads no streams.
        """
        raise TypeError(
            "`corpus` must fit into memory for this task. Received: a "
            f"`StreamedCorpus` for a `{type(self).__name__}`."
        )

    def served_source(self, max_length, asset_folder):
        """`ServedSource`: what requests to a served model hold of a source.

        By default the arrays of `batch_sources`, as the model reads them.

        Args:
            max_length: Integer. Longer sources are cut.
            asset_folder: Path of a folder for the files that the graph reads.
        """
        return ServedArrays(self, max_length, asset_folder)

    def source_words(self, sources):
        """Words of each source that may replace unknown tokens.

        Args:
            sources: List.

        Returns:
            List with a list for each source, in the form of
            `keras_seq2seq.tasks.copying.source_words`.
        """
        raise ValueError(
            "`replace_unknown` needs a source to copy words from. Received: "
            f"a `{type(self).__name__}`, whose sources have none. Leave it "
            "out."
        )
