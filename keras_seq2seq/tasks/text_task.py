from keras_seq2seq.data import pad_token_ids
from keras_seq2seq.tasks.checks import check_token_source
from keras_seq2seq.tasks.checks import check_vocabulary
from keras_seq2seq.tasks.encode_texts import encode_texts
from keras_seq2seq.tasks.served_texts import ServedTexts
from keras_seq2seq.tasks.task import Task
from keras_seq2seq.text import Tokenizer
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_texts


class TextTask(Task):
    """Abstract task whose sources are texts with a tokenizer.

    Args:
        model: `Seq2Seq` with one source of token ids.
        source_tokenizer: `Tokenizer` of the source.
        target_tokenizer, search: As for `Task`.
    """

    def __init__(self, model, source_tokenizer, target_tokenizer, search=None):
        super().__init__(model, target_tokenizer, search)
        check_token_source(self.model)
        self.source_tokenizer = registry.get(
            source_tokenizer, Tokenizer, "source_tokenizer"
        )
        size = self.source.vocabulary_size
        check_vocabulary(self.source_tokenizer, size, "source_tokenizer")

    def check_sources(self, sources, argument="texts"):
        return check_texts(sources, argument)

    def encode_source(self, sources, argument="texts"):
        return encode_texts(self.source_tokenizer, sources, argument)

    def batch_sources(self, rows, length):
        token_ids = pad_token_ids(rows, length=length)
        return {self.source.input_name: token_ids}

    def served_source(self, max_length, asset_folder):
        return ServedTexts(self, max_length, asset_folder)
