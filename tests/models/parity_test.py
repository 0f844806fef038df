"""Logits of PyTorch's and KerasHub's Transformers, with their weights.

`tests/fixtures/make_transformer_parity.py` wrote weights and logits.
"""

import numpy as np
import pytest

import keras_seq2seq as k2s
from tests.fixtures import FOLDER

SIZES = {
    "source_vocabulary_size": 11,
    "target_vocabulary_size": 11,
    "embedding_dim": 8,
}
WEIGHT_BIAS = ("weight", "bias")


def model_of(position, scale_inputs, **settings):
    block = k2s.layers.TransformerBlock(2, 12, dropout=0.1, **settings)
    encoder, decoder = (
        cls(block, 2, position=position, scale_inputs=scale_inputs)
        for cls in (
            k2s.layers.TransformerEncoder,
            k2s.layers.TransformerDecoder,
        )
    )
    return k2s.models.Seq2Seq(encoder, decoder, **SIZES)


def like_torch(given):
    """Post-norm, ReLU, learned positions."""
    position = k2s.layers.LearnedPosition(9)
    model = model_of(position, scale_inputs=True)

    def dense(name):
        return given[f"{name}.weight"].T, given[f"{name}.bias"]

    def fill_attention(attention, name):
        kernel = given[f"{name}.in_proj_weight"].T
        bias = given[f"{name}.in_proj_bias"]
        attention.query_dense.set_weights([kernel[:, :8], bias[:8]])
        attention.value_dense.set_weights([kernel[:, 8:], bias[8:]])
        attention.output_dense.set_weights(dense(f"{name}.out_proj"))

    for side in ("encoder", "decoder"):
        stack = getattr(model, side)
        stack.position.table.assign(given["position.weight"])
        for i, block in enumerate(stack.blocks):
            name = f"body.{side}.layers.{i}"
            fill_attention(block.self_attention, f"{name}.self_attn")
            norms = ["self_attention", "feed_forward"]
            if side == "decoder":
                attention = f"{name}.multihead_attn"
                fill_attention(block.memory_attention, attention)
                norms.insert(1, "memory_attention")
            for number, norm in enumerate(norms, 1):
                block.residuals[norm].norm.set_weights(
                    [given[f"{name}.norm{number}.{w}"] for w in WEIGHT_BIAS]
                )
            block.feed_forward.hidden.set_weights(dense(f"{name}.linear1"))
            block.feed_forward.outer.set_weights(dense(f"{name}.linear2"))
    model.source_embedding.set_weights([given["source.weight"]])
    model.target_embedding.set_weights([given["target.weight"]])
    model.output_layer.set_weights(dense("output"))
    return model


def like_keras_hub(given):
    """Pre-norm, GELU, sinusoidal positions."""
    model = model_of(
        "sinusoidal", False, activation="gelu", normalize_first=True
    )

    def dense(name, width=8):
        kernel, bias = given[f"{name}/kernel"], given[f"{name}/bias"]
        return kernel.reshape(-1, width), bias.reshape(-1)

    def norm(name):
        return given[f"{name}/gamma"], given[f"{name}/beta"]

    def fill_attention(attention, name):
        attention.query_dense.set_weights(dense(f"{name}/query"))
        keys, values = dense(f"{name}/key"), dense(f"{name}/value")
        attention.value_dense.set_weights(
            [np.concatenate(pair, axis=-1) for pair in zip(keys, values)]
        )
        attention.output_dense.set_weights(dense(f"{name}/attention_output"))

    for side in ("encoder", "decoder"):
        stack = getattr(model, side)
        stack.last_norm.set_weights(norm(f"{side}_norm"))
        for i, block in enumerate(stack.blocks):
            name = f"{side}_{i}"
            own = "self_attention" + ("_layer" if side == "encoder" else "")
            attentions = {"self_attention": own}
            if side == "decoder":
                attentions["memory_attention"] = "cross_attention"
            for ours, theirs in attentions.items():
                fill_attention(getattr(block, ours), f"{name}/{theirs}")
                theirs = theirs.removesuffix("_layer")
                block.residuals[ours].norm.set_weights(
                    norm(f"{name}/{theirs}_layer_norm")
                )
            inner = f"{name}/feedforward"
            block.residuals["feed_forward"].norm.set_weights(
                norm(f"{inner}_layer_norm")
            )
            block.feed_forward.hidden.set_weights(
                dense(f"{inner}_intermediate_dense", 12)
            )
            block.feed_forward.outer.set_weights(dense(f"{inner}_output_dense"))
    model.source_embedding.set_weights([given["source/embeddings"]])
    model.target_embedding.set_weights([given["target/embeddings"]])
    model.output_layer.set_weights(dense("output", 11))
    return model


@pytest.mark.parametrize(
    "name, make", [("torch", like_torch), ("keras_hub", like_keras_hub)]
)
def test_logits(name, make):
    given = dict(np.load(FOLDER / f"parity_{name}.npz"))
    logits = make(given).predict_on_batch(
        {
            "encoder_token_ids": given["source"],
            "decoder_token_ids": given["target"],
        }
    )
    assert np.abs(given["logits"]).max() > 0.5
    np.testing.assert_allclose(logits, given["logits"], atol=1e-4)
