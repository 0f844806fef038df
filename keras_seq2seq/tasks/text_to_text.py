import keras

from keras_seq2seq.data import StreamedCorpus
from keras_seq2seq.data.encode_corpus import encode_corpus
from keras_seq2seq.models import Seq2Seq
from keras_seq2seq.models import copy_encoder
from keras_seq2seq.tasks.checks import check_corpus
from keras_seq2seq.tasks.checks import check_replaceable
from keras_seq2seq.tasks.copying import source_words
from keras_seq2seq.tasks.learn_tokenizer import learn_tokenizers
from keras_seq2seq.tasks.text_task import TextTask
from keras_seq2seq.utils.checks import check_type
from keras_seq2seq.utils.progress import Counter


@keras.saving.register_keras_serializable("keras_seq2seq")
class TextToText(TextTask):
    """Text to text: a model, a tokenizer for each side, and a search.

    A task is a plain object; `task.model` is the Keras model. A saved folder
    has everything that the task needs.

    - `from_corpus(corpus, preset, **settings)` creates a new task,
      `from_preset(folder)` loads a trained one.
    - `compile`, `fit` and `evaluate` train and evaluate on a `ParallelCorpus`,
      a `StreamedCorpus` or a list of pairs of strings. An empty target is only
      the end token: the correct output is then empty.
    - `generate` returns strings for strings, `score` the log-probabilities of
      pairs, and `encode` a vector for each text.
    - `save(folder)` and `export(folder)` write it atomically.

    Several threads may use a task at once, each with its own search. During
    training, callbacks may call all of these methods except `fit`.

    Args:
        model: `Seq2Seq`.
        source_tokenizer: `Tokenizer` of the source.
        target_tokenizer: `Tokenizer` of the target.
        search: `Search`, its name or config. Defaults to `None`:
            `BeamSearch(num_beams=5)`, whose `max_length` fits the model's
            positions.

    Example:

    >>> task = k2s.tasks.TextToText.from_corpus(
    ...     [("ab", "A B"), ("b", "B")], preset="luong_2015",
    ...     units=8, embedding_dim=4, target_tokenizer="symbol",
    ... )
    >>> task
    TextToText(luong_2015, ... weights, BeamSearch)
    >>> len(task.generate(["ab", "ba"]))
    2
    """

    @classmethod
    def from_corpus(
        cls,
        corpus,
        preset,
        *,
        source_tokenizer=None,
        target_tokenizer=None,
        joint_vocabulary=False,
        search=None,
        encoder_from=None,
        **settings,
    ):
        """Create a task: tokenizers learned from a corpus, a preset's model.

        Args:
            corpus: `ParallelCorpus`, `StreamedCorpus`, or a list of pairs of
                strings.
            preset: Name in `keras_seq2seq.models.PRESETS`.
            source_tokenizer, target_tokenizer: Name of a tokenizer to learn;
                dict of the `name` and arguments of its `from_texts`, such as
                `{"name": "subword", "vocabulary_size": 4000}` or `{"name":
                "symbol", "vocabulary_size": 20_000, "min_count": 2}`; or a
                `Tokenizer`. Default to `None`, the tokenizers named by the
                corpus.
            joint_vocabulary: Boolean. Whether both sides have one tokenizer,
                learned from the texts of both. One of the arguments above is
                enough then. Defaults to `False`.
            search: As in the constructor.
            encoder_from: Task from which to copy the source tokenizer, the
                source embedding and the encoder. Its model must have the same
                settings. Defaults to `None`.
            **settings: Arguments of the preset, such as `units=256`.
        """
        corpus = check_corpus(corpus)
        if encoder_from is not None:
            source_tokenizer = _get_source_tokenizer(
                encoder_from, source_tokenizer
            )
        source_tokenizer, target_tokenizer = learn_tokenizers(
            corpus, source_tokenizer, target_tokenizer, joint=joint_vocabulary
        )
        model = Seq2Seq.from_preset(
            preset,
            source_vocabulary_size=len(source_tokenizer.vocabulary),
            target_vocabulary_size=len(target_tokenizer.vocabulary),
            **settings,
        )
        if encoder_from is not None:
            copy_encoder(model, encoder_from.model)
        task = cls(model, source_tokenizer, target_tokenizer, search)
        task.preset = preset
        return task

    def read_corpus(self, corpus, argument):
        corpus = check_corpus(corpus, argument)
        if isinstance(corpus, StreamedCorpus):
            corpus = corpus.in_memory()
        return corpus.sources, corpus.references

    def encode_stream(self, corpus, cache_folder):
        tokenizers = self.source_tokenizer, self.target_tokenizer
        progress = Counter("pairs encoded")
        return encode_corpus(corpus, *tokenizers, cache_folder, progress)

    def source_labels(self, source):
        return self.source_tokenizer.tokenize(source)

    def source_words(self, sources):
        check_replaceable(self.model)
        return [source_words(self.source_tokenizer, x) for x in sources]


def _get_source_tokenizer(encoder_from, source_tokenizer):
    """Get the tokenizer that an encoder was trained with."""
    check_type(encoder_from, "encoder_from", TextTask)
    if source_tokenizer not in (None, encoder_from.source_tokenizer):
        raise ValueError(
            "An encoder needs the tokenizer that it was trained with. "
            "Received: `encoder_from` and another `source_tokenizer`. Leave "
            "the latter out."
        )
    return encoder_from.source_tokenizer
