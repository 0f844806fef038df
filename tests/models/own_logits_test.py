"""A model whose logits are its own, built on public hooks alone."""

import keras
import numpy as np
from keras import ops

import keras_seq2seq as k2s
from keras_seq2seq.testing import run_model_test
from keras_seq2seq.testing.checks import assert_close
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.models import shaken


@keras.saving.register_keras_serializable("tests")
class Mixture(keras.layers.Layer):
    """`p(w) = g p_vocabulary(w) + (1 - g) * (attention to w in the source)`.

    See et al. (2017), eq. 9, with one vocabulary for source and target.
    """

    def __init__(self, **kwargs):
        super().__init__(dtype="float32", **kwargs)
        self.supports_masking = True
        self.gate = keras.layers.Dense(
            1, "sigmoid", dtype="float32", name="gate"
        )

    def call(self, outputs, logits, attention_scores, source):
        words = ops.one_hot(source, logits.shape[-1], dtype="float32")
        rows, length = ops.shape(source)
        scores = ops.reshape(attention_scores, (rows, -1, length))
        copied = ops.reshape(ops.matmul(scores, words), ops.shape(logits))
        gate = self.gate(outputs)
        p = gate * ops.softmax(logits) + (1 - gate) * copied
        return ops.log(ops.maximum(p, 1e-7))


@keras.saving.register_keras_serializable("tests")
class CopyingModel(k2s.models.Seq2Seq):
    needs_attention_scores = True

    def own_layers(self):
        return {"mixture": Mixture(name="mixture")}

    def logits_inputs(self, inputs):
        return self.source.values(inputs)

    def logits(self, outputs, embedded, attention_scores, source):
        logits = super().logits(outputs, embedded, attention_scores, source)
        return self.mixture(outputs, logits, attention_scores, source)


def copying_model():
    return CopyingModel(
        k2s.layers.RecurrentEncoder(keras.layers.GRUCell(5)),
        k2s.layers.RecurrentDecoder(
            k2s.layers.BahdanauCell(keras.layers.GRUCell(5)), bridge="dense"
        ),
        source_vocabulary_size=9,
        target_vocabulary_size=9,
        embedding_dim=4,
    )


def test_laws():
    run_model_test(copying_model())


def test_probabilities_are_those_of_the_mixture():
    """In NumPy, from gate, vocabulary and attention."""
    model = shaken(copying_model())
    inputs, *_ = model_batch(model)
    tensors = keras.tree.map_structure(ops.convert_to_tensor, inputs)
    cache, states = model.initialize(tensors)
    embedded = model.target_embedding(tensors["decoder_token_ids"])
    outputs, scores = map(
        lambda x: ops.convert_to_numpy(x).astype("float64"),
        model.decoder.decode_sequence(
            embedded, states, cache["decoder"], return_attention_scores=True
        ),
    )
    kernel, bias = model.mixture.get_weights()
    gate = 1 / (1 + np.exp(-(outputs @ kernel + bias)))
    kernel, bias = model.output_layer.get_weights()
    p = np.exp(outputs @ kernel + bias)
    p = gate * p / p.sum(-1, keepdims=True)
    for row, token_ids in enumerate(inputs["encoder_token_ids"]):
        for place, token in enumerate(token_ids):
            p[row, :, token] += (1 - gate[row, :, 0]) * scores[row, :, place]
    logits = model.predict_on_batch(inputs)
    assert_close(logits, np.log(np.maximum(p, 1e-7)).astype("float32"))


class WideLogits(k2s.models.Seq2Seq):
    """Two ids more than the vocabulary has, read as the end token."""

    def logits(self, outputs, embedded, attention_scores, source):
        logits = super().logits(outputs, embedded, attention_scores, source)
        return ops.concatenate([logits, logits[..., -2:] + 9.0], axis=-1)

    def decode_step(self, token_ids, *args):
        size = self.target.vocabulary_size
        token_ids = ops.where(token_ids < size, token_ids, 2)
        return super().decode_step(token_ids, *args)


def test_a_search_ranks_what_logits_gives():
    model = WideLogits.from_preset(
        "luong_2015",
        source_vocabulary_size=7,
        target_vocabulary_size=6,
        units=4,
        embedding_dim=3,
    )
    assert model.num_logits == 8
    search = k2s.search.BeamSearch(3, max_length=4)
    found = k2s.models.InferenceModel(model, search).predict_on_batch(
        np.array([[4, 5], [6, 0]])
    )
    assert np.isin(found["token_ids"], (6, 7)).all()  # likelier by 9
