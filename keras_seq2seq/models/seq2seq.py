import keras

from keras_seq2seq.layers import Decoder
from keras_seq2seq.layers import Encoder
from keras_seq2seq.layers.readouts import Readout
from keras_seq2seq.models.embeddings import checked_initializers
from keras_seq2seq.models.embeddings import checked_tie
from keras_seq2seq.models.embeddings import embedded_sources
from keras_seq2seq.models.embeddings import make_embeddings
from keras_seq2seq.models.embeddings import make_output_layer
from keras_seq2seq.models.frozen import freeze_paths
from keras_seq2seq.models.frozen import frozen_paths
from keras_seq2seq.models.frozen import kept_frozen
from keras_seq2seq.models.model_sources import model_sources
from keras_seq2seq.models.model_sources import sources_config
from keras_seq2seq.models.parts import checked_attention_loss
from keras_seq2seq.models.parts import target_of
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
    to logits. `encode`, `begin` and `decode_step` run the same layers token by
    token; `InferenceModel` searches with them. Source positions that hold
    `pad_token_id` are masked everywhere; logits carry the mask of the decoder
    ids, so Keras's losses and metrics count real tokens only.

    `fit`, `predict` and their like look at arrays once: an error says which
    shapes do not agree and which ids are of no vocabulary (masked ones count
    too). The ids of datasets, and targets, are not looked at; see
    `BucketedDataset`.

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
        sources: `Source`, or a list of them, in place of what says one source
            in short: `source_vocabulary_size`, `source_shape`,
            `source_pad_token_id` and `use_padding_mask`. The encoder reads
            several as a dict of their names. Defaults to `None`.
        readout: Name, config or instance of a `Readout`. Defaults to
            `"direct"`.
        pad_token_id: Integer. Padding id of the target. Defaults to `0`.
        source_pad_token_id: Integer. That of the source. Defaults to `None`:
            the same.
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
        use_output_bias: Boolean. Whether an output layer of its own has a
            bias. Defaults to `True`.
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
        target = target_of(target_vocabulary_size, pad_token_id)
        sources = model_sources(
            sources,
            pad_token_id,
            source_vocabulary_size=source_vocabulary_size,
            source_shape=source_shape,
            source_pad_token_id=source_pad_token_id,
            use_padding_mask=use_padding_mask,
        )
        policy = keras.dtype_policies.get(
            keras.config.dtype_policy() if dtype is None else dtype
        )
        initializers = checked_initializers(
            embeddings_initializer, output_initializer
        )
        encoder = check_type(registry.object_of(encoder), "encoder", Encoder)
        decoder = check_type(registry.object_of(decoder), "decoder", Decoder)
        readout = registry.get(readout, Readout, "readout", dtype=policy.name)
        source_embeddings, target_embedding = make_embeddings(
            embedded_sources(sources, encoder),
            target,
            check_dimension(embedding_dim, "embedding_dim"),
            tie_weights=checked_tie(tie_weights, sources, target, encoder),
            initializer=initializers["embeddings"],
            dtype=policy,
        )
        # Layers: the graph below needs them before Keras's constructor.
        vars(self).update(
            sources=sources,
            target=target,
            encoder=encoder,
            decoder=decoder,
            readout=readout,
            source_embeddings=source_embeddings,
            source_embedding=source_embeddings.get(next(iter(sources))),
            target_embedding=target_embedding,
            output_layer=make_output_layer(
                target_embedding,
                tie_weights=tie_weights,
                use_bias=use_output_bias,
                initializer=initializers["output"],
                dtype=policy,
            ),
            float32=keras.layers.Activation(
                "linear", dtype="float32", name="logits"
            ),
        )
        attention_loss = checked_attention_loss(attention_loss)
        inputs = {
            name: x
            for side in (*sources.values(), target)
            for name, x in side.inputs().items()
        }
        outputs = self._outputs(inputs, attention_loss is not None)
        if kwargs.get("trainable"):  # Keras would thaw all layers
            del kwargs["trainable"]
        with kept_frozen(encoder, decoder, self.readout):
            super().__init__(inputs, outputs, **kwargs)
        self.attention_loss = attention_loss
        self.embedding_dim = embedding_dim
        self.pad_token_id = pad_token_id
        self.tie_weights = tie_weights
        self.embeddings_initializer = initializers["embeddings"]
        self.output_initializer = initializers["output"]
        self.use_output_bias = use_output_bias
        self.layers_policy = policy

    def _outputs(self, inputs, with_attention):
        memory, memory_mask, states = self.encode(inputs)
        embedded = self.target_embedding(self.decoder_token_ids(inputs))
        outputs = self.decoder(
            embedded,
            memory,
            states,
            memory_mask=memory_mask,
            return_attention_scores=with_attention,
        )
        if not with_attention:
            return self.logits(outputs, embedded)
        outputs, scores = outputs
        logits = self.logits(outputs, embedded)
        return {"logits": logits, "attention_scores": scores}

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
