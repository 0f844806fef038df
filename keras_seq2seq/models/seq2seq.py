import keras

from keras_seq2seq.layers import RecurrentDecoder
from keras_seq2seq.layers import TokenEmbedding
from keras_seq2seq.layers.readouts import Readout
from keras_seq2seq.models.compilation import jit_compile
from keras_seq2seq.models.presets import PRESETS
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_choice
from keras_seq2seq.utils.checks import check_integer
from keras_seq2seq.utils.checks import check_token_id
from keras_seq2seq.utils.checks import check_type


@keras.saving.register_keras_serializable("keras_seq2seq")
class Seq2Seq(keras.Model):
    """Encoder and decoder as one functional model, for `fit()`.

    The model maps source ids and the target shifted right (teacher forcing)
    to logits. `encode`, `begin` and `decode_step` run the same layers token by
    token; `InferenceModel` searches with them. Source positions that hold
    `pad_token_id` are masked everywhere; logits carry the mask of the decoder
    ids, so Keras's losses and metrics count real tokens only.

    Args:
        encoder: Keras layer from `(batch_size, source_length, dim)` and a mask
            to the memory and its final states, such as `RecurrentEncoder`.
        decoder: `RecurrentDecoder`.
        source_vocabulary_size: Integer. Number of source ids.
        target_vocabulary_size: Integer. Number of target ids.
        embedding_dim: Integer. Width of both embeddings.
        readout: Name, config or instance of a `Readout`. Defaults to
            `"direct"`.
        pad_token_id: Integer. Padding id on both sides. Defaults to `0`.
        use_padding_mask: Boolean. Whether the model has a third input,
            `encoder_padding_mask`, instead of taking the mask from the ids.
            Defaults to `False`.

    Call arguments:
        inputs: Dict of `encoder_token_ids`, integers of shape
            `(batch_size, source_length)`, `decoder_token_ids`, integers of
            shape `(batch_size, target_length)`, and, with `use_padding_mask`,
            `encoder_padding_mask`, booleans of shape
            `(batch_size, source_length)`, `True` at real tokens.

    Returns:
        Float32 logits of shape
        `(batch_size, target_length, target_vocabulary_size)`.

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
        source_vocabulary_size,
        target_vocabulary_size,
        embedding_dim,
        readout="direct",
        pad_token_id=0,
        use_padding_mask=False,
        **kwargs,
    ):
        sizes = {
            "source_vocabulary_size": source_vocabulary_size,
            "target_vocabulary_size": target_vocabulary_size,
            "embedding_dim": embedding_dim,
        }
        for name, size in sizes.items():
            check_integer(size, name, 1)
        for name in ("source_vocabulary_size", "target_vocabulary_size"):
            check_token_id(pad_token_id, "pad_token_id", sizes[name])
        encoder = registry.object_of(encoder)
        decoder = registry.object_of(decoder)
        check_type(encoder, "encoder", keras.layers.Layer)
        check_type(decoder, "decoder", RecurrentDecoder)

        # Layers: the graph below needs them before Keras's constructor.
        vars(self).update(
            encoder=encoder,
            decoder=decoder,
            readout=registry.get(readout, Readout, "readout"),
            source_embedding=TokenEmbedding(
                source_vocabulary_size,
                embedding_dim,
                pad_token_id,
                name="source_embedding",
            ),
            target_embedding=TokenEmbedding(
                target_vocabulary_size,
                embedding_dim,
                pad_token_id,
                name="target_embedding",
            ),
            output_layer=keras.layers.Dense(
                target_vocabulary_size, name="output_layer"
            ),
            float32=keras.layers.Activation(
                "linear", dtype="float32", name="logits"
            ),
        )

        # Graph
        inputs = {
            name: keras.Input((None,), dtype="int32", name=name)
            for name in ("encoder_token_ids", "decoder_token_ids")
        }
        if use_padding_mask:
            inputs["encoder_padding_mask"] = keras.Input(
                (None,), dtype="bool", name="encoder_padding_mask"
            )
        memory, memory_mask, states = self.encode(inputs)
        embedded = self.target_embedding(inputs["decoder_token_ids"])
        outputs = self.decoder(
            embedded, memory, states, memory_mask=memory_mask
        )
        super().__init__(inputs, self.logits(outputs, embedded), **kwargs)

        # Config
        self.sizes = sizes
        self.pad_token_id = pad_token_id
        self.use_padding_mask = use_padding_mask

    def encode(self, inputs):
        """Memory `(batch_size, Tv, dim)`, its mask, and the final states."""
        token_ids = inputs["encoder_token_ids"]
        embedded = self.source_embedding(token_ids)
        mask = inputs.get("encoder_padding_mask")
        if mask is None:
            mask = self.source_embedding.compute_mask(token_ids)
        memory, states = self.encoder(embedded, mask=mask)
        return memory, mask, states

    def logits(self, outputs, embedded):
        """Float32 logits `(..., target_vocabulary_size)` of outputs."""
        return self.float32(self.output_layer(self.readout(outputs, embedded)))

    def begin(self, inputs):
        """Prepared memory and first states of a search or a forced pass."""
        memory, mask, states = self.encode(inputs)
        return self.decoder.begin(memory, states, memory_mask=mask)

    def decode_step(self, token_ids, states, memory, index):
        """Logits of the next token, and new states.

        Args:
            token_ids: Integers of shape `(rows,)`; `rows` is the memory's
                number of rows times the number of beams.
            states, memory: From `begin`, the states repeated for the beams.
            index: Integer scalar, the position of `token_ids` in the target.
        """
        embedded = self.target_embedding(token_ids)
        outputs, states = self.decoder.step(embedded, states, memory)
        return self.logits(outputs, embedded), states

    def decode_forced(self, token_ids, states, memory):
        """Logits and attention scores of given targets, in one pass.

        Args:
            token_ids: Integers of shape `(rows, target_length)`, from the
                start token on.
            states, memory: As for `decode_step`.

        Returns:
            Logits of shape `(rows, target_length, target_vocabulary_size)`
            and attention scores of shape `(rows, target_length, Tv)`.
        """
        embedded = self.target_embedding(token_ids)
        outputs, scores = self.decoder.run(
            embedded, states, memory, return_attention_scores=True
        )
        return self.logits(outputs, embedded), scores

    def compile(self, *args, **kwargs):
        kwargs.setdefault("jit_compile", jit_compile())
        super().compile(*args, **kwargs)

    def get_compile_config(self):
        config = super().get_compile_config()
        if config is not None:
            config.pop("jit_compile", None)  # it belongs to a backend
        return config

    def compile_from_config(self, config):
        self.compile(**keras.saving.deserialize_keras_object(config))
        self.optimizer.build(self.trainable_variables)

    def get_config(self):
        serialize = keras.saving.serialize_keras_object
        return {
            "name": self.name,
            "trainable": self.trainable,
            "encoder": serialize(self.encoder),
            "decoder": serialize(self.decoder),
            "readout": serialize(self.readout),
            **self.sizes,
            "pad_token_id": self.pad_token_id,
            "use_padding_mask": self.use_padding_mask,
        }

    @classmethod
    def from_config(cls, config):
        return cls(**config)

    @classmethod
    def from_preset(
        cls,
        preset,
        *,
        source_vocabulary_size,
        target_vocabulary_size,
        **settings,
    ):
        """A fresh model of the zoo.

        Args:
            preset: Name in `keras_seq2seq.models.PRESETS`.
            source_vocabulary_size, target_vocabulary_size: Integers.
            **settings: Arguments of the preset, such as `units=256`.
        """
        check_choice(preset, "preset", PRESETS)
        return cls(
            source_vocabulary_size=source_vocabulary_size,
            target_vocabulary_size=target_vocabulary_size,
            **PRESETS[preset](**settings),
        )
