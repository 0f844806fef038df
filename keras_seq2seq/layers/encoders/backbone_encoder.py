import keras
from keras import ops

from keras_seq2seq.layers.encoders.encoder import Encoder
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_integer

INPUTS = ("token_ids", "padding_mask", "segment_ids")
OUTPUT = "sequence_output"


@keras.saving.register_keras_serializable("keras_seq2seq")
class BackboneEncoder(Encoder):
    """A pretrained KerasHub backbone as an encoder, frozen or fine-tuned.

    The backbone embeds token ids itself, so `Seq2Seq` passes it the source ids
    and has no source embedding. Ids below `first_token_id` are the model's own
    special tokens. All others are the backbone's ids plus `first_token_id`, as
    in `HubTokenizer`. The mask becomes the backbone's `padding_mask`.

    While frozen, the backbone runs in inference mode, without dropout or
    gradients. To fine-tune it, set `encoder.trainable = True` and compile
    again.

    Args:
        backbone: KerasHub `Backbone`, its config, or any functional Keras model
            with the same inputs and output. The inputs are a dict of
            `token_ids` and optionally `padding_mask` and `segment_ids`, or the
            same names with the prefix `encoder_`. The output has shape
            `(batch_size, length, dim)`, or is a dict with a `"sequence_output"`
            of that shape.
        trainable: Boolean. Whether the backbone's weights are trained. Defaults
            to `False`.
        first_token_id: Integer. The model's id of the backbone's token 0. Use
            `0` if all ids are the backbone's. Defaults to `4`.

    Call arguments:
        inputs: Integer tensor of shape `(batch_size, source_length)`.
        mask: Boolean tensor of shape `(batch_size, source_length)`, `True` at
            real tokens.
        training: Boolean.

    Returns:
        Memory, of shape `(batch_size, source_length, dim)`, and an empty dict.

    Example:

    >>> token_ids = keras.Input((None,), dtype="int32", name="token_ids")
    >>> embedded = keras.layers.Embedding(6, 4)(token_ids)
    >>> backbone = keras.Model({"token_ids": token_ids}, embedded)
    >>> encoder = k2s.layers.BackboneEncoder(backbone)
    >>> memory, states = encoder(np.array([[4, 9, 5]]))
    >>> tuple(memory.shape), states, len(encoder.trainable_weights)
    ((1, 3, 4), {}, 0)

    References:
        - [Rothe et al., 2020](https://arxiv.org/abs/1907.12461), section 2
    """

    embeds_token_ids = True

    def __init__(
        self, backbone, *, trainable=False, first_token_id=4, **kwargs
    ):
        super().__init__(trainable=trainable, **kwargs)
        self.first_token_id = check_integer(first_token_id, "first_token_id", 0)
        self.backbone = _check_backbone(registry.object_of(backbone))
        if not trainable:
            self.backbone.trainable = False
        self.built = True  # all weights are the backbone's

    @property
    def vocabulary_size(self):
        """Number of token ids that the encoder accepts, or `None`."""
        size = getattr(self.backbone, "vocabulary_size", None)
        return None if size is None else size + self.first_token_id

    @property
    def max_length(self):
        """Number of positions of the backbone, or `None`."""
        return getattr(self.backbone, "max_sequence_length", None)

    def call(self, inputs, mask=None, training=False):
        self._check_length(inputs.shape[1])
        token_ids = ops.cast(inputs, "int32") - self.first_token_id
        token_ids = ops.maximum(token_ids, 0)
        if mask is None:
            mask = ops.ones_like(token_ids)
        given = {
            "token_ids": token_ids,
            "padding_mask": ops.cast(mask, "int32"),
            "segment_ids": ops.zeros_like(token_ids),
        }
        memory = self.backbone(
            {
                name: given[_without_prefix(name)]
                for name in self.backbone.input
            },
            training=training and self.trainable,
        )
        memory = memory[OUTPUT] if isinstance(memory, dict) else memory
        return ops.cast(memory, self.compute_dtype), {}

    def _check_length(self, length):
        limit = self.max_length
        if limit is not None and length is not None and length > limit:
            raise ValueError(
                f"A source must have at most {limit} tokens, the backbone's "
                f"limit. Received: a source of length {length}. Truncate it, "
                "or use a backbone with a larger `max_sequence_length`."
            )

    def compute_output_shape(self, inputs_shape):
        return (*inputs_shape, _get_memory(self.backbone).shape[-1]), {}

    def get_config(self):
        return {
            **super().get_config(),
            "backbone": keras.saving.serialize_keras_object(self.backbone),
            "first_token_id": self.first_token_id,
        }


def _check_backbone(backbone):
    """Return the backbone; raise unless it gives one vector per token id."""
    names = getattr(backbone, "input", None)
    is_dict = isinstance(names, dict)
    short = set(map(_without_prefix, names)) if is_dict else set()
    if not {INPUTS[0]} <= short <= {*INPUTS}:
        received = sorted(names) if is_dict else type(backbone).__name__
        raise ValueError(
            "`backbone` must be a functional model of a dict of `token_ids` "
            "and optionally `padding_mask` and `segment_ids`. Received: "
            f"backbone={received}. Of an encoder-decoder, pass the encoder: "
            "`keras.Model({name: b.input[name] for name in "
            "('encoder_token_ids', 'encoder_padding_mask')}, "
            "b.output['encoder_sequence_output'])`."
        )
    memory = _get_memory(backbone)
    if memory is None or len(memory.shape) != 3 or memory.shape[-1] is None:
        received = keras.tree.map_structure(
            lambda x: str(tuple(x.shape)), backbone.output
        )
        raise ValueError(
            "`backbone` must give one output of shape (batch_size, length, "
            f"dim), 3 axes, or a dict with it as {OUTPUT!r}. Received: "
            f"backbone with outputs of shape {received}. Use the layer that "
            "gives one vector per token: `keras.Model(backbone.input, ...)`."
        )
    return backbone


def _without_prefix(name):
    """Name of an input without the prefix of encoder-decoder models."""
    return name.removeprefix("encoder_")


def _get_memory(backbone):
    """The symbolic output with one vector per token, or `None`."""
    output = backbone.output
    if isinstance(output, dict):
        return output.get(OUTPUT)
    return None if isinstance(output, (list, tuple)) else output
