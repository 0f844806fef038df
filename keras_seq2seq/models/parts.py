"""What a `Seq2Seq` is made of beside encoder, decoder and readout."""

import keras

from keras_seq2seq.layers import TiedOutput
from keras_seq2seq.layers import TokenEmbedding
from keras_seq2seq.layers.dense import Dense
from keras_seq2seq.losses import AttentionLoss
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_choice
from keras_seq2seq.utils.checks import check_token_id
from keras_seq2seq.utils.sizes import check_dimension

SIDES = ("source", "target")
TIES = ("none", "target", "all", "embeddings")
ONE_TABLE = ("all", "embeddings")  # for source and target


def checked_sizes(sizes):
    """The sizes of the vocabularies and the embeddings, as plain integers."""
    return {
        name: None
        if name == "source_vocabulary_size" and size is None
        else check_dimension(size, name)
        for name, size in sizes.items()
    }


def checked_pad_token_ids(sizes, *, source, target):
    """Dict of the padding ids of both sides; the target's where one is `None`.

    Args:
        sizes: Dict of the sizes of the vocabularies.
        source, target: Integers; `source` may be `None`.
    """
    check_token_id(target, "pad_token_id", sizes["target_vocabulary_size"])
    name = "pad_token_id" if source is None else "source_pad_token_id"
    source = target if source is None else source
    size = sizes["source_vocabulary_size"]
    if size is not None:
        check_token_id(source, name, size)
    return {"source": source, "target": target}


def checked_source_shape(source_shape, source_vocabulary_size):
    """The shape of one raw source, or `None` for token ids."""
    if (source_shape is None) == (source_vocabulary_size is None):
        raise ValueError(
            "Expected either `source_vocabulary_size`, for token ids, or "
            "`source_shape`, for raw input. Received: "
            f"source_vocabulary_size={source_vocabulary_size}, "
            f"source_shape={source_shape}"
        )
    return None if source_shape is None else tuple(source_shape)


def checked_attention_loss(attention_loss):
    """The `AttentionLoss` of a name, config or instance; or `None`."""
    if attention_loss is None:
        return None
    return registry.get(attention_loss, AttentionLoss, "attention_loss")


def checked_tie(tie_weights, sizes, pad_token_ids, encoder):
    """What of the embeddings and the output layer is one table."""
    check_choice(tie_weights, "tie_weights", TIES)
    source, target = (sizes[f"{s}_vocabulary_size"] for s in SIDES)
    if tie_weights in ONE_TABLE and encoder.embeds_token_ids:
        raise ValueError(
            f"tie_weights={tie_weights!r} needs a source embedding. Received: "
            f"encoder of type `{type(encoder).__name__}`, which embeds its "
            "ids itself. Use tie_weights='target'."
        )
    if tie_weights in ONE_TABLE and source != target:
        raise ValueError(
            f"tie_weights={tie_weights!r} needs one vocabulary for both "
            "sides. Received: "
            f"source_vocabulary_size={source}, "
            f"target_vocabulary_size={target}. Use a common tokenizer, or "
            "tie_weights='target'."
        )
    if tie_weights in ONE_TABLE and len(set(pad_token_ids.values())) > 1:
        raise ValueError(
            f"tie_weights={tie_weights!r} needs one padding id for both sides. "
            f"Received: source_pad_token_id={pad_token_ids['source']}, "
            f"pad_token_id={pad_token_ids['target']}"
        )
    return tie_weights


def embeds_token_ids(encoder, sizes):
    """Whether the encoder takes token ids; those of this vocabulary."""
    if not encoder.embeds_token_ids:
        return False
    size, limit = sizes["source_vocabulary_size"], encoder.vocabulary_size
    if size is None:
        raise ValueError(
            "An encoder that embeds token ids needs "
            "`source_vocabulary_size`. Received: encoder of type "
            f"`{type(encoder).__name__}`, source_vocabulary_size=None"
        )
    if limit is not None and size > limit:
        raise ValueError(
            "The encoder must know every id of the source. Received: "
            f"source_vocabulary_size={size}, and an encoder of {limit} ids. "
            "Use the tokenizer that belongs to it."
        )
    return True


def checked_initializers(embeddings, output):
    """Dict of the initializers that were given, by name, config or instance."""
    given = {"embeddings": embeddings, "output": output}
    return {
        name: None if x is None else keras.initializers.get(x)
        for name, x in given.items()
    }


def own_layers(
    sizes,
    pad_token_ids,
    tie_weights,
    *,
    embeds_source,
    initializers,
    use_output_bias,
    dtype,
):
    """Dict of the embeddings and the output layer."""

    def drawn(name, otherwise):
        # A copy for each layer: one instance gives one shape the same values.
        given = initializers[name]
        return otherwise if given is None else given.clone()

    def embedding(side):
        size = sizes[f"{side}_vocabulary_size"]
        if size is None or (side == "source" and not embeds_source):
            return None
        dim = sizes["embedding_dim"]
        # As an output layer, its logits should have a variance of about 1.
        tied = keras.initializers.RandomNormal(stddev=dim**-0.5)
        is_tied = tie_weights in ("target", "all") and side == "target"
        return TokenEmbedding(
            size,
            dim,
            pad_token_ids[side],
            embeddings_initializer=drawn(
                "embeddings", tied if is_tied else "uniform"
            ),
            dtype=dtype,
            name=f"{side}_embedding",
        )

    target = embedding("target")
    if tie_weights in ("none", "embeddings"):
        output_layer = Dense(
            sizes["target_vocabulary_size"],
            use_bias=use_output_bias,
            kernel_initializer=drawn("output", "glorot_uniform"),
            dtype=dtype,
            name="output_layer",
        )
    else:
        output_layer = TiedOutput(target, dtype=dtype, name="output_layer")
    return {
        "source_embedding": target
        if tie_weights in ONE_TABLE
        else embedding("source"),
        "target_embedding": target,
        "output_layer": output_layer,
        "float32": keras.layers.Activation(
            "linear", dtype="float32", name="logits"
        ),
    }


def model_inputs(source_shape, use_padding_mask):
    """Dict of `keras.Input`, by name."""
    ids = {"shape": (None,), "dtype": "int32"}
    if source_shape is None:
        inputs = {"encoder_token_ids": ids}
    else:
        inputs = {"encoder_inputs": {"shape": source_shape}}
    inputs["decoder_token_ids"] = ids
    if use_padding_mask:
        mask = {"shape": (None,), "dtype": "bool"}
        inputs["encoder_padding_mask"] = mask
    return {name: keras.Input(name=name, **x) for name, x in inputs.items()}
