import keras

from keras_seq2seq.layers import Decoder
from keras_seq2seq.layers.readouts import Readout
from keras_seq2seq.models.compilation import jit_compile
from keras_seq2seq.models.parts import checked_sizes
from keras_seq2seq.models.parts import checked_source_shape
from keras_seq2seq.models.parts import model_inputs
from keras_seq2seq.models.parts import own_layers
from keras_seq2seq.models.presets import PRESETS
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_choice
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
            Its `compute_mask` gives the mask of the memory.
        decoder: `Decoder`, such as `RecurrentDecoder`.
        target_vocabulary_size: Integer. Number of target ids.
        embedding_dim: Integer. Width of the embeddings.
        source_vocabulary_size: Integer. Number of source ids. Defaults to
            `None`: the encoder takes its input raw (sound, pictures), of
            `source_shape`.
        source_shape: Tuple, the shape of one raw source, such as
            `(None, 40)` for frames of 40 numbers. Defaults to `None`.
        readout: Name, config or instance of a `Readout`. Defaults to
            `"direct"`.
        pad_token_id: Integer. Padding id on both sides. Defaults to `0`.
        use_padding_mask: Boolean. Whether the model has a third input,
            `encoder_padding_mask`, instead of taking the mask from the ids.
            Defaults to `False`.
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
        target_vocabulary_size,
        embedding_dim,
        source_vocabulary_size=None,
        source_shape=None,
        readout="direct",
        pad_token_id=0,
        use_padding_mask=False,
        dtype=None,
        **kwargs,
    ):
        sizes = checked_sizes(
            {
                "source_vocabulary_size": source_vocabulary_size,
                "target_vocabulary_size": target_vocabulary_size,
                "embedding_dim": embedding_dim,
            },
            pad_token_id,
        )
        shape = checked_source_shape(source_shape, source_vocabulary_size)
        policy = keras.dtype_policies.get(
            keras.config.dtype_policy() if dtype is None else dtype
        )
        encoder = registry.object_of(encoder)
        decoder = registry.object_of(decoder)
        # Layers: the graph below needs them before Keras's constructor.
        vars(self).update(
            encoder=check_type(encoder, "encoder", keras.layers.Layer),
            decoder=check_type(decoder, "decoder", Decoder),
            readout=registry.get(readout, Readout, "readout"),
            **own_layers(sizes, pad_token_id, policy),
        )
        inputs = model_inputs(shape, use_padding_mask)
        memory, memory_mask, states = self.encode(inputs)
        embedded = self.target_embedding(inputs["decoder_token_ids"])
        outputs = self.decoder(
            embedded, memory, states, memory_mask=memory_mask
        )
        super().__init__(inputs, self.logits(outputs, embedded), **kwargs)
        self.sizes = sizes
        self.source_shape = shape
        self.pad_token_id = pad_token_id
        self.use_padding_mask = use_padding_mask
        self.layers_policy = policy

    @property
    def source_name(self):
        """Name of the encoder's input."""
        raw = self.source_embedding is None
        return "encoder_inputs" if raw else "encoder_token_ids"

    def encode(self, inputs):
        """Memory `(batch_size, Tv, dim)`, its mask, and the final states."""
        source, mask = inputs[self.source_name], None
        if self.source_embedding is not None:
            mask = self.source_embedding.compute_mask(source)
            source = self.source_embedding(source)
        mask = inputs.get("encoder_padding_mask", mask)
        memory, states = self.encoder(source, mask=mask)
        masks = self.encoder.compute_mask(source, mask)
        memory_mask = masks[0] if isinstance(masks, (list, tuple)) else masks
        return memory, memory_mask, states

    def logits(self, outputs, embedded):
        """Float32 logits `(..., target_vocabulary_size)` of outputs."""
        return self.float32(self.output_layer(self.readout(outputs, embedded)))

    def begin(self, inputs):
        """Prepared memory and first states of a search or a forced pass."""
        memory, mask, states = self.encode(inputs)
        return self.decoder.begin(memory, states, memory_mask=mask)

    def decode_step(
        self, token_ids, states, memory, index, return_attention_scores=False
    ):
        """Logits of the next token, and new states; attention scores if asked.

        Args:
            token_ids: Integers of shape `(rows,)`; `rows` is the memory's
                number of rows times the number of beams.
            states, memory: From `begin`, the states repeated for the beams.
            index: Integer scalar, the position of `token_ids` in the target.
        """
        embedded = self.target_embedding(token_ids)
        # Decoders without attention need not know of it.
        asked = {"return_attention_scores": True}
        outputs, *rest = self.decoder.step(
            embedded,
            states,
            memory,
            index,
            **(asked if return_attention_scores else {}),
        )
        return self.logits(outputs, embedded), *rest

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
            "source_shape": self.source_shape,
            "pad_token_id": self.pad_token_id,
            "use_padding_mask": self.use_padding_mask,
            "dtype": serialize(self.layers_policy),
        }

    @classmethod
    def from_config(cls, config):
        return cls(**config)

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
            **settings: Arguments of the preset, such as `units=256`.
        """
        check_choice(preset, "preset", PRESETS)
        return cls(
            source_vocabulary_size=source_vocabulary_size,
            target_vocabulary_size=target_vocabulary_size,
            **PRESETS[preset](**settings),
        )
