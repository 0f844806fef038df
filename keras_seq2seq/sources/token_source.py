import keras

from keras_seq2seq.ops import padding_mask
from keras_seq2seq.sources.source import Source
from keras_seq2seq.utils.checks import check_token_id
from keras_seq2seq.utils.sizes import check_dimension


@keras.saving.register_keras_serializable("keras_seq2seq")
class TokenSource(Source):
    """A source of token ids, `(batch_size, source_length)`.

    Positions with `pad_token_id` are masked, unless the mask is an input.

    Args:
        vocabulary_size: Integer. Number of ids.
        pad_token_id: Integer. Defaults to `0`.
        name, use_padding_mask: As for `Source`.

    Example:

    >>> source = k2s.sources.TokenSource(10, name="question")
    >>> sorted(source.inputs())
    ['question_token_ids']
    """

    def __init__(self, vocabulary_size, pad_token_id=0, **kwargs):
        super().__init__(**kwargs)
        self.vocabulary_size = check_dimension(
            vocabulary_size, "vocabulary_size"
        )
        self.pad_token_id = check_token_id(
            pad_token_id, "pad_token_id", vocabulary_size
        )

    @property
    def input_name(self):
        return f"{self.name}_token_ids"

    @property
    def input_settings(self):
        return {"shape": (None,), "dtype": "int32"}

    @property
    def axes(self):
        return "batch_size", self.length_axis

    def own_mask(self, values):
        return padding_mask(values, self.pad_token_id)

    def get_config(self):
        return {
            **super().get_config(),
            "vocabulary_size": self.vocabulary_size,
            "pad_token_id": self.pad_token_id,
        }
