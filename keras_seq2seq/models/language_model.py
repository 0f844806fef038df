import keras
from keras import ops

from keras_seq2seq.layers import IdentityEncoder
from keras_seq2seq.models.presets import LANGUAGE_MODELS
from keras_seq2seq.models.presets import parts_of
from keras_seq2seq.models.seq2seq import Seq2Seq
from keras_seq2seq.utils.checks import check_token_id

OF_SEQ2SEQ = ("embeddings_initializer", "output_initializer", "use_output_bias")
NOT_OF_PRESETS = ("start_token_id", "pad_token_id", "dtype", *OF_SEQ2SEQ)


@keras.saving.register_keras_serializable("keras_seq2seq")
class LanguageModel(Seq2Seq):
    """Language model: how a sequence goes on.

    One body reads `[start] x_1 x_2 ..` and gives, at each position, the logits
    of what follows. It is a `Seq2Seq` whose source is a beginning and whose
    target is what follows it, with nothing in between: the decoder reads the
    last token of the beginning first, or the start token where there is none,
    in place of the first of its own ids. So the same searches, forced passes
    and tasks serve it:

    - `fit` on empty beginnings (one column of padding) and whole sequences;
    - `InferenceModel` generates from the start token, or completes;
    - `ScoringModel` gives the log-probability of each token of a sequence,
      with or without a beginning.

    Args:
        decoder: `PrefixDecoder` or `RecurrentPrefixDecoder`.
        vocabulary_size: Integer. Number of token ids.
        embedding_dim: Integer. Width of the embeddings.
        readout: Name, config or instance of a `Readout`. Defaults to
            `"direct"`.
        tie_weights: Boolean. Whether the output layer has the weights of the
            embedding. Defaults to `False`.
        pad_token_id: Integer. Padding id. Defaults to `0`.
        start_token_id: Integer. Defaults to `1`.
        dtype, embeddings_initializer, output_initializer, use_output_bias: As
            for `Seq2Seq`.

    Call arguments:
        inputs: Dict of `encoder_token_ids`, the beginnings, integers of shape
            `(batch_size, beginning_length)`, without the start token, padded
            at the end alone, and `decoder_token_ids`, integers of shape
            `(batch_size, length)`.

    Returns:
        Float32 logits of shape `(batch_size, length, vocabulary_size)`.

    Example:

    >>> decoder = k2s.layers.RecurrentPrefixDecoder(keras.layers.GRUCell(8))
    >>> model = k2s.models.LanguageModel(
    ...     decoder, vocabulary_size=10, embedding_dim=4
    ... )
    >>> search = k2s.search.GreedySearch(max_length=7)
    >>> inference = k2s.models.InferenceModel(model, search)
    >>> beginnings = np.array([[4, 5], [6, 0], [0, 0]])
    >>> inference.predict(beginnings, verbose=0)["token_ids"].shape
    (3, 1, 7)

    References:
        - [Mikolov et al., 2010](https://www.isca-archive.org/interspeech_2010/mikolov10_interspeech.html)
        - [Press and Wolf, 2017](https://arxiv.org/abs/1608.05859), tied
          weights
    """

    def __init__(
        self,
        decoder,
        *,
        vocabulary_size,
        embedding_dim,
        readout="direct",
        tie_weights=False,
        pad_token_id=0,
        start_token_id=1,
        dtype=None,
        **kwargs,
    ):
        vars(self)["start_token_id"] = check_token_id(
            start_token_id, "start_token_id", vocabulary_size
        )
        if start_token_id == pad_token_id:
            raise ValueError(
                "The start token must not be the padding. Received: "
                f"start_token_id={start_token_id}, pad_token_id={pad_token_id}"
            )
        super().__init__(
            IdentityEncoder(),
            decoder,
            source_vocabulary_size=vocabulary_size,
            target_vocabulary_size=vocabulary_size,
            embedding_dim=embedding_dim,
            readout=readout,
            pad_token_id=pad_token_id,
            tie_weights="all" if tie_weights else "embeddings",
            dtype=dtype,
            **kwargs,
        )

    def encode(self, inputs, by_layer=False):
        token_ids, _ = self._beginning(inputs)
        return super().encode({self.source.input_name: token_ids}, by_layer)

    def _beginning(self, inputs):
        """What is read before the first step, and that step's token."""
        token_ids = self.source.values(inputs)
        start = ops.full_like(token_ids[:, :1], self.start_token_id)
        token_ids = ops.concatenate([start, token_ids], axis=1)
        real = ops.cast(self.source_embedding.compute_mask(token_ids), "int32")
        last = ops.sum(real, axis=1, keepdims=True) - 1
        # 0, 1, 2 ..: a length that is not known yet has no range.
        positions = ops.cumsum(ops.ones_like(real), axis=1) - 1
        before = ops.where(
            positions < last, token_ids, self.source_embedding.pad_token_id
        )
        first = ops.take_along_axis(token_ids, last, axis=1)
        return before[:, :-1], first  # the last position is never before one

    def decoder_token_ids(self, inputs):
        _, first = self._beginning(inputs)
        token_ids = self.target.values(inputs)
        first = ops.cast(first, token_ids.dtype)
        return ops.concatenate([first, token_ids[:, 1:]], axis=1)

    def start_token_ids(self, inputs, start_token_id):
        _, first = self._beginning(inputs)
        return ops.cast(ops.squeeze(first, 1), "int32")

    def get_config(self):
        config = super().get_config()
        names = "name", "trainable", "decoder", "readout", "embedding_dim"
        names = *names, "pad_token_id", "dtype", "frozen", *OF_SEQ2SEQ
        return {
            **{name: config[name] for name in names},
            "vocabulary_size": self.target.vocabulary_size,
            "tie_weights": self.tie_weights == "all",
            "start_token_id": self.start_token_id,
        }

    @classmethod
    def from_preset(cls, preset, *, vocabulary_size, **settings):
        """A fresh model of the zoo.

        Args:
            preset: Name in `keras_seq2seq.models.LANGUAGE_MODELS`.
            vocabulary_size: Integer.
            **settings: Arguments of the preset, such as `units=256`, and
                `start_token_id`, `pad_token_id`, the initializers and `dtype`.
        """
        parts = parts_of(preset, LANGUAGE_MODELS, settings, NOT_OF_PRESETS)
        return cls(vocabulary_size=vocabulary_size, **parts)
