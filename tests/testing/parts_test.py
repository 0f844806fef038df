"""The batteries of single parts find what is broken, and name the law."""

import keras
import numpy as np
import pytest
from keras import ops

import keras_seq2seq as k2s
from keras_seq2seq import layers
from keras_seq2seq import testing
from keras_seq2seq.search import constraints
from keras_seq2seq.text import CharacterTokenizer

register = keras.saving.register_keras_serializable("tests")


@register
class SeesMaskedPlaces(layers.IdentityEncoder):
    def call(self, inputs, mask=None, training=False):
        return ops.cumsum(ops.flip(inputs, axis=1), axis=1), {}


@register
class SeesNeighbours(layers.IdentityEncoder):
    def call(self, inputs, mask=None, training=False):
        first = inputs[:1] * ops.cast(ops.expand_dims(mask[:1], -1), "float32")
        return inputs + ops.sum(first, axis=1, keepdims=True), {}


@register
class SaysTheWrongStride(layers.IdentityEncoder):
    stride = 3


@register
class ReadsMoreThanItSays(layers.IdentityEncoder):
    max_length = 9


@pytest.mark.parametrize(
    "kind, message",
    [
        (SeesMaskedPlaces, "Padding is visible: other values"),
        (SeesNeighbours, "Neighbours are visible"),
        (SaysTheWrongStride, "`stride` is 3, but a source of length 7"),
        (ReadsMoreThanItSays, "`max_length` is 9, but a source of length 10"),
    ],
)
def test_encoder(kind, message):
    with pytest.raises(AssertionError, match=message):
        testing.run_encoder_test(kind())


@register
class WeighsAllPlaces(layers.AttentionNormalizer):
    def normalize(self, energies, mask):
        return ops.softmax(energies)


@register
class SeesPlaces(layers.SoftmaxNormalizer):
    def normalize(self, energies, mask):
        weights = super().normalize(energies, mask)
        return weights * ops.sigmoid(ops.mean(energies, -1, keepdims=True))


@register
class SeesQueries(layers.SoftmaxNormalizer):
    def normalize(self, energies, mask):
        weights = super().normalize(energies, mask)
        return ops.mean(weights, axis=1, keepdims=True) + 0 * weights


@pytest.mark.parametrize(
    "kind, message",
    [
        (WeighsAllPlaces, "A masked place has a weight"),
        (SeesPlaces, "Padding is visible: other energies"),
        (SeesQueries, "Other queries are visible: query 0"),
    ],
)
def test_normalizer(kind, message):
    with pytest.raises(AssertionError, match=message):
        testing.run_normalizer_test(kind())


@register
class MeanOfAll(layers.MeanBridge):
    def call(self, states, memory=None, memory_mask=None):
        return super().call(states, memory)


@register
class SaysNothing(layers.CopyBridge):
    def build(self, states_shape, state_size, memory_shape=None):
        try:
            super().build(states_shape, state_size)
        except ValueError as error:
            raise ValueError("These do not fit.") from error


def test_bridge():
    with pytest.raises(AssertionError, match="Padding is visible"):
        testing.run_bridge_test(MeanOfAll())
    with pytest.raises(AssertionError, match="must name the sizes of both"):
        testing.run_bridge_test(SaysNothing(), state_size=8)


@register
class SeesSteps(layers.DirectReadout):
    def call(self, outputs, embedded, training=False):
        if len(outputs.shape) == 2:
            return outputs
        return outputs - ops.mean(outputs, axis=1, keepdims=True)


@register
class DropsTheMask(layers.DirectReadout):
    def call(self, outputs, embedded, training=False):
        return 2.0 * outputs

    def compute_mask(self, inputs, previous_mask=None):
        return None


@pytest.mark.parametrize(
    "kind, message",
    [
        (SeesSteps, "Step 0 equals the sequence"),
        (DropsTheMask, "mask of the outputs is not passed on"),
    ],
)
def test_readout(kind, message):
    with pytest.raises(AssertionError, match=message):
        testing.run_readout_test(kind())


@register
class Renormalizes(constraints.BannedTokens):
    def __call__(self, log_probs, state, context):
        x = super().__call__(log_probs, state, context)
        return x - ops.logsumexp(x, axis=-1, keepdims=True)


@register
class Allows(constraints.Constraint):
    def __call__(self, log_probs, state, context):
        return ops.maximum(log_probs, -50.0)


@register
class Grows(constraints.BannedSequences):
    def next_state(self, state, token_ids, index):
        new = ops.expand_dims(token_ids, 1)
        return {"latest": ops.concatenate([state["latest"], new], axis=1)}

    def __call__(self, log_probs, state, context):
        longest = max(map(len, self.sequences))
        latest = state["latest"][:, 1 - longest :]
        return super().__call__(log_probs, {"latest": latest}, context)


@register
class OneForAll(constraints.BannedMask):
    def __call__(self, log_probs, state, context):
        mask = context.inputs["banned_mask"]
        mask = ops.zeros_like(mask) | mask[:1]
        inputs = {"banned_mask": mask}
        context = context._replace(inputs=inputs)
        return super().__call__(log_probs, state, context)


@pytest.mark.parametrize(
    "broken, message",
    [
        (Renormalizes([3]), "has changed.*only_forbids=False"),
        (Allows(), "impossible has become possible"),
        (Grows([[3, 4], [5, 6]]), "state of shape and dtype"),
    ],
)
def test_constraint(broken, message):
    with pytest.raises(AssertionError, match=message):
        testing.run_constraint_test(broken)


def test_a_constraint_that_sees_other_rows():
    rows = np.random.default_rng(0).random((6, 7)) < 0.4
    with pytest.raises(AssertionError, match="Neighbours are visible"):
        testing.run_constraint_test(OneForAll(), {"banned_mask": rows})


@register
class SpellsSpecialTokens(k2s.text.SymbolTokenizer):
    def encode(self, text):
        return list(map(self.vocabulary.token_to_id, self.tokenize(text)))


@register
class ReadsPadding(CharacterTokenizer):
    def decode(self, ids):
        return self.detokenize(
            self.vocabulary.id_to_token(int(i)) for i in ids if i != 2
        )


@register
class CountsSpansFromOne(CharacterTokenizer):
    def spans(self, text):
        return [(a + 1, b + 1) for a, b in super().spans(text)]


@register
class Backwards(CharacterTokenizer):
    """In Python alone."""

    def split(self, text):
        return super().split(text)[::-1]

    def detokenize(self, tokens):
        return super().detokenize(list(tokens)[::-1])


@pytest.mark.parametrize(
    "kind, message",
    [
        (SpellsSpecialTokens, "Special ids"),
        (ReadsPadding, "Decoding does not stop"),
        (CountsSpansFromOne, "A span outside of"),
    ],
)
def test_tokenizer(kind, message):
    tokenizer = kind.from_texts(["a b", "c"])
    with pytest.raises(AssertionError, match=message):
        testing.run_tokenizer_test(tokenizer)


def test_a_graph_that_is_not_python():
    pytest.importorskip("tensorflow")
    with pytest.raises(AssertionError, match="graph is not equal to Python"):
        testing.run_tokenizer_test(Backwards.from_texts(["ab"]), ["ab"])


@pytest.mark.parametrize(
    "name",
    ["encoder", "normalizer", "bridge", "readout", "constraint", "tokenizer"],
)
def test_what_a_battery_is_for(name):
    with pytest.raises(TypeError, match=f"`{name}` must be a `.*`GRUCell`"):
        getattr(testing, f"run_{name}_test")(keras.layers.GRUCell(4))


def test_a_batch_of_ones_own():
    batch = {"energies": np.zeros((1, 2, 3))}
    with pytest.raises(ValueError, match="`batch`.*'value_mask'.*energies"):
        testing.run_normalizer_test(layers.SoftmaxNormalizer(), batch)
    batch = {**batch, "value_mask": np.array([[True, True, False]])}
    testing.run_normalizer_test(layers.SoftmaxNormalizer(), batch)


@register
class TwoSources(layers.Encoder):
    def call(self, inputs, mask=None, training=False):
        picture = ops.expand_dims(inputs["picture"], 1)
        return inputs["words"] + picture, {}

    def compute_memory_mask(self, inputs, mask=None):
        return None if mask is None else mask["words"]

    def compute_output_shape(self, inputs_shape):
        return inputs_shape["words"], {}


def test_sources_of_ones_own():
    """Several, of which one has no mask."""
    rng = np.random.default_rng(0)
    mask = np.arange(4) < np.array([[4], [2]])
    batch = {
        "inputs": {
            "words": rng.normal(size=(2, 4, 3)),
            "picture": rng.normal(size=(2, 3)),
        },
        "mask": {"words": mask, "picture": None},
    }
    testing.run_encoder_test(TwoSources(), batch)
