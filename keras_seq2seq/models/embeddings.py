"""The embeddings of a `Seq2Seq`, and its output layer."""

import keras

from keras_seq2seq.layers import TiedOutput
from keras_seq2seq.layers import TokenEmbedding
from keras_seq2seq.layers.dense import Dense
from keras_seq2seq.layers.float32_logits import Float32Logits
from keras_seq2seq.utils.checks import check_choice

TIES = ("none", "target", "all", "embeddings")
ONE_TABLE = ("all", "embeddings")  # for sources and target
TIED_OUTPUT = ("all", "target")


def embedded_sources(sources, encoder):
    """Those of a dict of sources whose ids the model embeds."""
    read = {n: s for n, s in sources.items() if s.vocabulary_size is not None}
    if not encoder.embeds_token_ids:
        return read
    if len(read) < len(sources):
        raise ValueError(
            "An encoder that embeds token ids needs "
            "`source_vocabulary_size`. Received: encoder of type "
            f"`{type(encoder).__name__}`, source_vocabulary_size=None"
        )
    limit = encoder.vocabulary_size
    for source in read.values():
        if limit is not None and source.vocabulary_size > limit:
            raise ValueError(
                "The encoder must know every id of the source. Received: "
                f"source_vocabulary_size={source.vocabulary_size}, and an "
                f"encoder of {limit} ids. Use the tokenizer that belongs to it."
            )
    return {}


def checked_tie(tie_weights, sources, target, encoder):
    """What of the embeddings and the output layer is one table.

    Args:
        tie_weights: As for `Seq2Seq`.
        sources: Dict of `Source`.
        target: `TokenSource`.
        encoder: `Encoder`.
    """
    check_choice(tie_weights, "tie_weights", TIES)
    if tie_weights not in ONE_TABLE:
        return tie_weights
    if encoder.embeds_token_ids:
        raise ValueError(
            f"tie_weights={tie_weights!r} needs a source embedding. Received: "
            f"encoder of type `{type(encoder).__name__}`, which embeds its "
            "ids itself. Use tie_weights='target'."
        )
    for source in sources.values():
        if source.vocabulary_size != target.vocabulary_size:
            raise ValueError(
                f"tie_weights={tie_weights!r} needs one vocabulary for both "
                "sides. Received: "
                f"source_vocabulary_size={source.vocabulary_size}, "
                f"target_vocabulary_size={target.vocabulary_size}. Use a "
                "common tokenizer, or tie_weights='target'."
            )
        if source.pad_token_id != target.pad_token_id:
            raise ValueError(
                f"tie_weights={tie_weights!r} needs one padding id for both "
                f"sides. Received: source_pad_token_id={source.pad_token_id}, "
                f"pad_token_id={target.pad_token_id}"
            )
    return tie_weights


def initializer_of(initializer):
    """Keras initializer of a name, config or instance; `None` stays `None`."""
    return None if initializer is None else keras.initializers.get(initializer)


def make_layers(
    sources,
    target,
    encoder,
    *,
    embedding_dim,
    tie_weights,
    embeddings_initializer,
    output_initializer,
    use_output_bias,
    dtype,
):
    """Dict of the layers around encoder and decoder, by attribute.

    Args:
        sources: Dict of `Source`.
        target: `TokenSource`.
        encoder: `Encoder`.
        embedding_dim, tie_weights, embeddings_initializer, output_initializer,
            use_output_bias: As for `Seq2Seq`, checked.
        dtype: Dtype policy.
    """
    source_embeddings, target_embedding = make_embeddings(
        embedded_sources(sources, encoder),
        target,
        embedding_dim,
        tie_weights=tie_weights,
        initializer=embeddings_initializer,
        dtype=dtype,
    )
    return {
        "source_embeddings": source_embeddings,
        "source_embedding": source_embeddings.get(next(iter(sources))),
        "target_embedding": target_embedding,
        "output_layer": make_output_layer(
            target_embedding,
            tie_weights=tie_weights,
            use_bias=use_output_bias,
            initializer=output_initializer,
            dtype=dtype,
        ),
        "float32": Float32Logits(name="logits"),
    }


def make_embeddings(
    sources, target, dim, *, tie_weights, initializer=None, dtype=None
):
    """Dict of name of a source -> its embedding, and that of the target.

    Args:
        sources: Dict of the `TokenSource` to be embedded.
        target: `TokenSource`.
        dim: Integer, the width of the embeddings.
        tie_weights: As for `Seq2Seq`.
        initializer: Keras initializer of the tables, or `None`.
        dtype: Dtype policy.
    """

    def table(side, name, otherwise="uniform"):
        # A copy for each layer: one instance gives one shape the same values.
        drawn = otherwise if initializer is None else initializer.clone()
        return TokenEmbedding(
            side.vocabulary_size,
            dim,
            side.pad_token_id,
            embeddings_initializer=drawn,
            dtype=dtype,
            name=f"{name}_embedding",
        )

    # As an output layer, its logits should have a variance of about 1.
    tied = keras.initializers.RandomNormal(stddev=dim**-0.5)
    otherwise = tied if tie_weights in TIED_OUTPUT else "uniform"
    of_target = table(target, "target", otherwise)
    if tie_weights in ONE_TABLE:
        return dict.fromkeys(sources, of_target), of_target
    # One source without a name of its own is the source.
    names = {n: "source" if n == "encoder" else n for n in sources}
    return {n: table(s, names[n]) for n, s in sources.items()}, of_target


def make_output_layer(
    embedding, *, tie_weights, use_bias=True, initializer=None, dtype=None
):
    """Layer from readouts to logits, with a target embedding of such ids.

    Args:
        embedding: `TokenEmbedding` of the target.
        tie_weights: As for `Seq2Seq`.
        use_bias: Boolean. Whether a layer of its own has a bias.
        initializer: Keras initializer of its kernel, or `None`.
        dtype: Dtype policy.
    """
    if tie_weights in TIED_OUTPUT:
        return TiedOutput(embedding, dtype=dtype, name="output_layer")
    return Dense(
        embedding.input_dim,
        use_bias=use_bias,
        kernel_initializer=initializer or "glorot_uniform",
        dtype=dtype,
        name="output_layer",
    )
