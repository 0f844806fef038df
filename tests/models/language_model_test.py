import keras
import numpy as np
import pytest
from keras import ops

import keras_seq2seq as k2s
from keras_seq2seq.models import LanguageModel
from keras_seq2seq.testing import assert_close
from keras_seq2seq.testing import laws
from keras_seq2seq.testing import run_serialization_test
from keras_seq2seq.testing.model_batch import model_batch
from tests.helpers.models import shaken

START, END = 1, 2
SEQUENCE = np.array([[4, 6, 5, 7, 4, 3]], "int32")


def transformer(position="rotary", **kwargs):
    block = k2s.layers.TransformerBlock(2, 6, dropout=0.1)
    decoder = k2s.layers.PrefixDecoder(block, 2, position=position)
    return LanguageModel(decoder, vocabulary_size=8, embedding_dim=4, **kwargs)


def relative(**kwargs):
    return transformer("relative", **kwargs)


def recurrent(**kwargs):
    cells = [keras.layers.LSTMCell(4), keras.layers.GRUCell(4)]
    decoder = k2s.layers.RecurrentPrefixDecoder(
        keras.layers.StackedRNNCells(cells), dropout=0.1
    )
    return LanguageModel(decoder, vocabulary_size=8, embedding_dim=4, **kwargs)


@pytest.fixture(params=[transformer, relative, recurrent])
def model(request):
    return shaken(request.param(tie_weights=True))


def logits_of(model, beginning, rest):
    """Logits after the beginning, and after each token of the rest."""
    beginning = np.asarray(beginning, "int32").reshape(1, -1)
    if not beginning.size:
        beginning = np.zeros((1, 1), "int32")
    # What the first decoder id is makes no difference.
    rest = np.hstack([[[7]], rest]).astype("int32")
    return model.predict_on_batch(
        {"encoder_token_ids": beginning, "decoder_token_ids": rest}
    )[0]


@pytest.mark.eager
def test_a_beginning_is_the_beginning_of_the_sequence(model):
    whole = logits_of(model, [], SEQUENCE)
    for k in (1, 2, 5):
        part = logits_of(model, SEQUENCE[:, :k], SEQUENCE[:, k:])
        assert_close(part, whole[k:])
    # Padding after the beginning.
    wide = np.pad(SEQUENCE[:, :2], ((0, 0), (0, 3)))
    assert_close(logits_of(model, wide, SEQUENCE[:, 2:]), whole[2:])


def test_the_body_reads_start_and_sequence(model):
    """Against the decoder, called on embeddings."""
    ids = np.hstack([[[START]], SEQUENCE])
    embedded = model.target_embedding(ids)
    nothing = ops.zeros((1, 1), "bool")
    outputs = model.decoder(embedded, embedded[:, :1], memory_mask=nothing)
    (table,) = model.target_embedding.get_weights()
    expected = ops.convert_to_numpy(outputs)[0] @ table.T
    assert_close(logits_of(model, [], SEQUENCE), expected)


def test_laws(model):
    model.compile("sgd")
    batch = model_batch(model)
    logits = model.predict_on_batch(batch[0])
    laws.step_equals_sequence(model, batch[0], logits)
    laws.future_is_invisible(model, batch[0], logits)
    laws.neighbours_are_invisible(model, batch[0], logits)
    laws.padding_is_invisible(model, batch, logits)
    laws.hypotheses_are_stable(model, batch)


@pytest.mark.eager
def test_probabilities_of_completions(model):
    """The search's scores are those of the forced pass, of the rest only."""
    beginnings = np.array([[4, 6], [5, 0], [0, 0]], "int32")
    search = k2s.search.BeamSearch(3, max_length=4, n_best=3)
    found = k2s.models.InferenceModel(model, search).predict_on_batch(
        beginnings
    )
    forced = k2s.models.ScoringModel(model)
    for place in range(3):
        targets = found["token_ids"][:, place]
        shifted = np.hstack([np.full((3, 1), START), targets[:, :-1]])
        log_probs = forced.predict_on_batch(
            {
                "encoder_token_ids": beginnings,
                "decoder_token_ids": shifted.astype("int32"),
                "targets": targets,
            }
        )["log_probs"]
        assert_close(log_probs.sum(1), found["scores"][:, place])


def test_learns_to_go_on():
    """Texts that count up: after a token there is one that fits."""
    model = recurrent()
    texts = [list(range(first, 8)) for first in (3, 4, 5, 6)]
    dataset = k2s.data.BucketedDataset([[]] * 4, texts, batch_size=4)
    model.compile(
        keras.optimizers.Adam(0.05),
        keras.losses.SparseCategoricalCrossentropy(
            from_logits=True, reduction="mean_with_sample_weight"
        ),
    )
    model.fit(dataset, epochs=60, verbose=0)
    search = k2s.search.GreedySearch(max_length=5)
    found = k2s.models.InferenceModel(model, search).predict_on_batch(
        np.array([[5, 0], [3, 4], [6, 7]])
    )
    assert found["token_ids"][:, 0].tolist() == [
        [6, 7, 2, 0, 0],
        [5, 6, 7, 2, 0],
        [2, 0, 0, 0, 0],
    ]


@pytest.mark.eager
def test_weights_and_files(tmp_path):
    tied, untied = (transformer(tie_weights=t) for t in (True, False))
    assert untied.count_params() - tied.count_params() == 8 * 4 + 8
    assert untied.source_embedding is untied.target_embedding
    for model in (tied, untied):
        run_serialization_test(model)
        model.save(tmp_path / "model.keras")
        loaded = keras.saving.load_model(tmp_path / "model.keras")
        assert type(loaded) is LanguageModel
        assert_close(
            logits_of(loaded, [], SEQUENCE), logits_of(model, [], SEQUENCE)
        )


def test_errors():
    with pytest.raises(ValueError, match="start_token_id=0, pad_token_id=0"):
        transformer(start_token_id=0)
    with pytest.raises(ValueError, match="`start_token_id`.*=8"):
        transformer(start_token_id=8)
