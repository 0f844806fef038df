"""Attention of each layer and head, of given targets and of hypotheses."""

import keras
import numpy as np
import pytest
from keras import ops

import keras_seq2seq as k2s
from keras_seq2seq.tasks.hypotheses import crop_scores
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.models import SIZES
from tests.helpers.models import gru_model
from tests.helpers.models import shaken
from tests.helpers.transformers import transformer_model

pytestmark = pytest.mark.eager


def single_model():
    block = k2s.layers.TransformerBlock(2, 6)
    return k2s.models.Seq2Seq(
        k2s.layers.IdentityEncoder(),
        k2s.layers.PrefixDecoder(block, 2),
        **SIZES,
    )


BLOCKS = ["block_0", "block_1"]
ALL_KINDS = {"encoder": BLOCKS, "decoder": BLOCKS, "memory": BLOCKS}
MODELS = {
    "transformer": (transformer_model, ALL_KINDS, 2),
    "single": (single_model, ALL_KINDS, 2),
    "recurrent": (gru_model, {"memory": ["attention"]}, 1),
}


def names_of(by_layer):
    return {kind: sorted(layers) for kind, layers in by_layer.items()}


@pytest.mark.parametrize("name", MODELS)
def test_of_hypotheses(name):
    make, kinds, heads = MODELS[name]
    model = shaken(make())
    inputs, _, _ = model_batch(model)
    found = {
        wanted: k2s.models.InferenceModel(
            model,
            k2s.search.BeamSearch(3, max_length=5, n_best=2),
            return_attention_scores=wanted,
        ).predict_on_batch(inputs["encoder_token_ids"])
        for wanted in (True, "by_layer")
    }
    by_layer = found["by_layer"]["attention_scores"]
    assert names_of(by_layer) == kinds
    lengths = found[True]["lengths"]
    real = np.arange(5) < lengths[..., None]
    source = inputs["encoder_token_ids"] != 0
    for kind, layers in by_layer.items():
        for layer, scores in layers.items():
            if kind == "encoder":
                assert scores.shape == (4, heads, 5, 5)
                check_sums(scores, source)
                assert not (scores * ~source[:, None, None]).any()
                continue
            assert scores.shape == (4, 2, heads, 5, 5)
            if name == "single":  # one softmax over source and target
                both = scores + by_layer[other(kind)][layer]
                check_sums(both, real)
            else:
                seen = source.any(axis=1)[:, None, None] | (kind == "decoder")
                check_sums(scores, real & seen)
            if kind == "decoder":
                assert not np.triu(scores, 1).any()
    last = by_layer["memory"][kinds["memory"][-1]].mean(axis=2)
    if name == "single":  # of the mean, the share of the source alone
        last /= np.maximum(last.sum(axis=-1, keepdims=True), 1e-7)
    assert_close(last, found[True]["attention_scores"])


def other(kind):
    return {"memory": "decoder", "decoder": "memory"}[kind]


def check_sums(scores, real):
    """1 for each head where `real`, 0 elsewhere."""
    sums = np.broadcast_to(real[..., None, :], scores.shape[:-1])
    assert_close(scores.sum(-1), sums.astype("float32"))


def test_heads_are_those_of_each_block():
    """Against the layers of both sides, called by hand."""
    model = shaken(transformer_model())
    inputs, _, _ = model_batch(model)
    tensors = keras.tree.map_structure(ops.convert_to_tensor, inputs)
    cache, states = model.initialize(tensors, by_layer=True)
    _, by_layer = model.decode_sequence(
        tensors["decoder_token_ids"], states, cache, by_layer=True
    )
    memory = cache["decoder"]
    decoder = model.decoder
    x, _ = decoder.enter(model.target_embedding(tensors["decoder_token_ids"]))
    length = x.shape[1]
    ahead = np.tril(np.ones((length, length), bool))
    for i, block in enumerate(decoder.blocks):
        x, _, scores = block(
            x,
            memory["blocks"][i],
            seen=ops.array(ahead),
            memory_seen=ops.expand_dims(memory["mask"], (1, 2)),
        )
        assert_close(by_layer["memory"][f"block_{i}"], scores["memory"])
        assert_close(by_layer["decoder"][f"block_{i}"], scores["self"])
    mask = ops.not_equal(tensors["encoder_token_ids"], 0)
    x, _ = model.encoder.enter(
        model.source_embedding(tensors["encoder_token_ids"])
    )
    for i, block in enumerate(model.encoder.blocks):
        x, _, scores = block(x, seen=ops.expand_dims(mask, (1, 2)))
        expected = scores["self"] * ops.cast(mask, "float32")[:, None, :, None]
        assert_close(by_layer["encoder"][f"block_{i}"], expected)


def test_the_source_of_a_single_stack_is_read_by_its_blocks():
    """Causal, as source tokens of `PrefixDecoder` see what is before them."""
    model = shaken(single_model())
    inputs, _, _ = model_batch(model)
    tensors = keras.tree.map_structure(ops.convert_to_tensor, inputs)
    cache, _ = model.initialize(tensors, by_layer=True)
    read = cache["decoder"]["self_attention"]
    mask = inputs["encoder_token_ids"] != 0
    x, _ = model.decoder.enter(
        model.source_embedding(tensors["encoder_token_ids"])
    )
    seen = mask[:, None, None] & np.tril(np.ones((mask.shape[1],) * 2, bool))
    for i, block in enumerate(model.decoder.blocks):
        x, _, scores = block(x, seen=ops.array(seen))
        expected = ops.convert_to_numpy(scores["self"]) * mask[:, None, :, None]
        assert_close(read[f"block_{i}"], expected)


def stack(*encoders):
    return k2s.models.Seq2Seq(
        k2s.layers.StackedEncoder([*encoders]),
        k2s.layers.RecurrentDecoder(
            k2s.layers.LuongCell(keras.layers.GRUCell(4)), bridge="mean"
        ),
        **SIZES,
    )


def transformer_encoder():
    return k2s.layers.TransformerEncoder(k2s.layers.TransformerBlock(2, 6), 1)


def recurrent_encoder():
    return k2s.layers.RecurrentEncoder(keras.layers.GRUCell(4))


@pytest.mark.parametrize(
    "encoders, expected",
    [
        ([recurrent_encoder, transformer_encoder], ["block_0"]),
        ([transformer_encoder] * 2, ["0/block_0", "1/block_0"]),
        ([recurrent_encoder], None),
    ],
)
def test_of_encoders_on_each_other(encoders, expected):
    model = shaken(stack(*(make() for make in encoders)))
    inputs, _, _ = model_batch(model)
    forced = k2s.models.ScoringModel(model, return_attention_scores="by_layer")
    targets = np.roll(inputs["decoder_token_ids"], -1, axis=1)
    found = forced.predict_on_batch({**inputs, "targets": targets})
    layers = names_of(found["attention_scores"])
    assert layers.pop("memory") == ["attention"]
    assert layers == ({"encoder": expected} if expected else {})
    source = inputs["encoder_token_ids"] != 0
    for scores in found["attention_scores"].get("encoder", {}).values():
        check_sums(scores, source)


def test_of_a_task():
    task = small_task()
    (found, _), _ = task.generate(
        ["abc", "b"], n_best=2, return_attention_scores="by_layer"
    )
    assert names_of(found.attention_scores) == ALL_KINDS
    target = len(found.tokens)
    shapes = {
        "encoder": (3, 3),
        "decoder": (target,) * 2,
        "memory": (target, 3),
    }
    for kind, layers in found.attention_scores.items():
        for scores in layers.values():
            assert scores.shape == (2, *shapes[kind])


def small_task():
    return k2s.tasks.TextToText.from_corpus(
        [("abc", "ABC"), ("b", "B")],
        "transformer_2017_small",
        hidden_dim=4,
        num_layers=2,
        num_heads=2,
        intermediate_dim=6,
        search=k2s.search.BeamSearch(2, max_length=5, n_best=2),
    )


def test_of_given_targets():
    """The same as of a search that has to begin with them, up to there."""
    task = small_task()
    texts, targets = ["abc", "b", ""], ["AB", "B", "CA"]
    pairs = list(zip(texts, targets))
    for wanted in (True, "by_layer"):
        searched = task.generate(
            texts, n_best=1, prefixes=targets, return_attention_scores=wanted
        )
        scored = task.score(pairs, return_attention_scores=wanted)
        for (text, target), (best,), found in zip(pairs, searched, scored):
            assert (found.text, found.tokens) == (target, [*target])
            expected = crop_scores(
                best.attention_scores, len(target), len(text)
            )
            assert_close(
                np.concatenate(flat(found.attention_scores)),
                np.concatenate(flat(expected)),
            )
    totals, tokens = task.score(pairs), task.score(pairs, per_token=True)
    for found, total, row in zip(scored, totals, tokens):
        assert found.score == found.total_log_prob
        assert_close(found.score, total)
        assert_close(found.log_probs, row)


def flat(scores):
    return [np.ravel(x) for x in keras.tree.flatten(scores)]


def test_layers_are_in_their_order():
    """Whatever the order of a dict that comes from a compiled function."""
    layers = {f"block_{i}": np.full((1, 1, 1), i) for i in (1, 10, 11, 2)}
    found = crop_scores({"memory": layers, "encoder": layers}, 1, 1)
    assert [*found] == ["encoder", "memory"]
    assert [*found["memory"]] == ["block_1", "block_2", "block_10", "block_11"]


def test_errors():
    with pytest.raises(ValueError, match="`return_attention_scores`.*='all'"):
        k2s.models.InferenceModel(
            transformer_model(), return_attention_scores="all"
        )
