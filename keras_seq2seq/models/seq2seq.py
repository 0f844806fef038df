import keras

from keras_seq2seq.layers import Decoder
from keras_seq2seq.layers import Encoder
from keras_seq2seq.layers.readouts import Readout
from keras_seq2seq.losses import AttentionLoss
from keras_seq2seq.models.embeddings import checked_tie
from keras_seq2seq.models.embeddings import initializer_of
from keras_seq2seq.models.embeddings import make_layers
from keras_seq2seq.models.frozen import freeze_paths
from keras_seq2seq.models.frozen import frozen_paths
from keras_seq2seq.models.frozen import kept_frozen
from keras_seq2seq.models.model_sources import model_sources
from keras_seq2seq.models.model_sources import sources_config
from keras_seq2seq.models.model_sources import target_source
from keras_seq2seq.models.presets import PRESETS
from keras_seq2seq.models.presets import parts_of
from keras_seq2seq.models.stepwise_model import StepwiseModel
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_type
from keras_seq2seq.utils.sizes import check_dimension

NOT_OF_PRESETS = (
    "sources",
    "source_shape",
    "source_pad_token_id",
    "use_padding_mask",
    "pad_token_id",
    "attention_loss",
    "embeddings_initializer",
    "output_initializer",
    "use_output_bias",
    "dtype",
)


@keras.saving.register_keras_serializable("keras_seq2seq")
class Seq2Seq(StepwiseModel):
    """Encoder and decoder as one functional model, for `fit()`.

    The model maps source ids and the target shifted right (teacher forcing)
    to logits. `encode`, `initialize` and `decode_step` run the same layers
    token by token; `InferenceModel` searches with them. Source positions that
    hold `pad_token_id` are masked everywhere; logits carry the mask of the
    decoder ids, so Keras's losses and metrics count real tokens only.

    `fit`, `predict` and the like check arrays once: their shapes must agree and
    their ids be in the vocabulary, masked ones too. The ids of datasets are not
    checked; see `BucketedDataset`.

    A subclass may fill `own_layers`, `logits_inputs` and `logits`: what follows
    the decoder is its own then, in training, scoring and search.

    Args:
        encoder: `Encoder`, such as `RecurrentEncoder`. One whose
            `embeds_token_ids` is `True`, such as `BackboneEncoder`, gets the
            source ids as they are; there is no source embedding then.
        decoder: `Decoder`, such as `RecurrentDecoder`.
        target_vocabulary_size: Integer. Number of target ids.
        embedding_dim: Integer. Width of the embeddings.
        source_vocabulary_size: Integer. Number of source ids. Defaults to
            `None`: the encoder takes its input raw (sound, pictures), of
            `source_shape`.
        source_shape: Tuple, the shape of one raw source, such as
            `(None, 40)` for frames of 40 numbers. Defaults to `None`.
        sources: `Source`, or a list of them, in place of the four arguments
            that say one source in short, `source_..` and `use_padding_mask`.
            The encoder reads several as a dict. Defaults to `None`.
        readout: Name, config or instance of a `Readout`. Defaults to
            `"direct"`.
        pad_token_id: Integer. Padding id of the target. Defaults to `0`.
        source_pad_token_id: Integer. Defaults to `None`: the target's.
        use_padding_mask: Boolean. Whether the model has a third input,
            `encoder_padding_mask`, instead of taking the mask from the ids.
            Defaults to `False`.
        attention_loss: Name, config or instance of an `AttentionLoss`, a loss
            on the attention scores that is added to the compiled one, such as
            `"score_function"` for `HardNormalizer`. Defaults to `None`.
        tie_weights: `"none"`, `"target"` (one table for target embedding and
            output layer, which then has no bias), `"all"` (the source
            embedding too) or `"embeddings"` (one table for both embeddings).
            Defaults to `"none"`.
        embeddings_initializer, output_initializer: Name, config or instance of
            a Keras initializer, of the embeddings and of the output layer's
            kernel. Default to `None`, Keras's own; a table that is the output
            layer too is drawn from a normal distribution of standard deviation
            `embedding_dim ** -0.5`.
        use_output_bias: Boolean. Defaults to `True`.
        dtype: Dtype or dtype policy of the embeddings and the output layer.
            Defaults to `None`, Keras's global policy.

    Call arguments:
        inputs: Dict of `encoder_token_ids`, integers of shape
            `(batch_size, source_length)` (or `encoder_inputs`, floats of shape
            `(batch_size, *source_shape)`), `decoder_token_ids`, integers of
            shape `(batch_size, target_length)`, and, with `use_padding_mask`,
            `encoder_padding_mask`, booleans of shape
            `(batch_size, source_length)`, `True` at real tokens.

    Returns:
        Float32 logits of shape
        `(batch_size, target_length, target_vocabulary_size)`. With an
        `attention_loss`, a dict of these `"logits"` and of
        `"attention_scores"` of shape `(batch_size, target_length, Tv)`.

    Example:

    >>> encoder = k2s.layers.RecurrentEncoder(keras.layers.GRUCell(8))
    >>> cell = k2s.layers.LuongCell(keras.layers.GRUCell(8))
    >>> decoder = k2s.layers.RecurrentDecoder(cell, bridge="copy")
    >>> model = k2s.models.Seq2Seq(
    ...     encoder, decoder, source_vocabulary_size=10,
    ...     target_vocabulary_size=12, embedding_dim=4,
    ... )
    >>> source, target = np.ones((2, 5)), np.ones((2, 3))
    >>> logits = model(
    ...     {"encoder_token_ids": source, "decoder_token_ids": target}
    ... )
    >>> tuple(logits.shape)
    (2, 3, 12)

    References:
        - [Sutskever et al., 2014](https://arxiv.org/abs/1409.3215)
        - [Bahdanau et al., 2015](https://arxiv.org/abs/1409.0473)
    """

    def __init__(
        self,
        encoder,
        decoder,
        *,
        target_vocabulary_size,
        embedding_dim,
        source_vocabulary_size=None,
        source_shape=None,
        sources=None,
        readout="direct",
        pad_token_id=0,
        source_pad_token_id=None,
        use_padding_mask=False,
        attention_loss=None,
        tie_weights="none",
        embeddings_initializer=None,
        output_initializer=None,
        use_output_bias=True,
        dtype=None,
        **kwargs,
    ):
        target = target_source(target_vocabulary_size, pad_token_id)
        sources = model_sources(
            sources,
            pad_token_id,
            source_vocabulary_size=source_vocabulary_size,
            source_shape=source_shape,
            source_pad_token_id=source_pad_token_id,
            use_padding_mask=use_padding_mask,
        )
        encoder = check_type(registry.object_of(encoder), "encoder", Encoder)
        decoder = check_type(registry.object_of(decoder), "decoder", Decoder)
        if dtype is None:
            dtype = keras.config.dtype_policy()
        policy = keras.dtype_policies.get(dtype)
        readout = registry.get(readout, Readout, "readout", dtype=policy.name)
        if attention_loss is not None:
            attention_loss = registry.get(
                attention_loss, AttentionLoss, "attention_loss"
            )
        given = {
            "embedding_dim": check_dimension(embedding_dim, "embedding_dim"),
            "tie_weights": checked_tie(tie_weights, sources, target, encoder),
            "embeddings_initializer": initializer_of(embeddings_initializer),
            "output_initializer": initializer_of(output_initializer),
            "use_output_bias": use_output_bias,
        }
        layers = make_layers(sources, target, encoder, dtype=policy, **given)
        sides = {"sources": sources, "target": target, "encoder": encoder}
        layers |= {**sides, "decoder": decoder, "readout": readout}
        # The graph below needs these before Keras's constructor.
        vars(self).update(layers, pad_token_id=pad_token_id, **given)
        vars(self).update(self.own_layers())
        inputs = self.all_inputs()
        outputs = self.outputs_of(inputs, attention_loss is not None)
        with kept_frozen(encoder, decoder, readout):
            super().__init__(inputs, outputs, **kwargs)
        self.attention_loss = attention_loss
        self.layers_policy = policy

    def get_config(self):
        serialize = keras.saving.serialize_keras_object
        return {
            "name": self.name,
            "trainable": self.trainable,
            "encoder": serialize(self.encoder),
            "decoder": serialize(self.decoder),
            "readout": serialize(self.readout),
            **sources_config(self.sources),
            "target_vocabulary_size": self.target.vocabulary_size,
            "embedding_dim": self.embedding_dim,
            "pad_token_id": self.pad_token_id,
            "attention_loss": serialize(self.attention_loss),
            "tie_weights": self.tie_weights,
            "embeddings_initializer": serialize(self.embeddings_initializer),
            "output_initializer": serialize(self.output_initializer),
            "use_output_bias": self.use_output_bias,
            "dtype": serialize(self.layers_policy),
            "frozen": frozen_paths(self),
        }

    @classmethod
    def from_config(cls, config):
        config = dict(config)
        frozen = config.pop("frozen", ())
        if config.get("trainable"):  # Keras would thaw all layers
            del config["trainable"]
        model = cls(**config)
        freeze_paths(model, frozen)
        return model

    @classmethod
    def from_preset(
        cls,
        preset,
        *,
        target_vocabulary_size,
        source_vocabulary_size=None,
        **settings,
    ):
        """A fresh model of the zoo.

        Args:
            preset: Name in `keras_seq2seq.models.PRESETS`.
            target_vocabulary_size, source_vocabulary_size: Integers.
                Without the latter there must be a `source_shape`.
            **settings: Arguments of the preset, such as `units=256`, and
                `source_shape`, `pad_token_id`, `source_pad_token_id`,
                `use_padding_mask`, `attention_loss`, the initializers and
                `dtype`.
        """
        return cls(
            source_vocabulary_size=source_vocabulary_size,
            target_vocabulary_size=target_vocabulary_size,
            **parts_of(preset, PRESETS, settings, NOT_OF_PRESETS),
        )
