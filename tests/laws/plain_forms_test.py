"""Models in the plain forms of textbooks, as tasks: saved, searched, served."""

import keras
import pytest

import keras_seq2seq as k2s
from tests.helpers.models import shaken
from tests.helpers.task_laws import check_scores
from tests.helpers.task_laws import check_served
from tests.helpers.task_laws import saved_and_loaded
from tests.helpers.tiny_presets import RECURRENT

PAIRS = [("abc", "A B C"), ("ab", "A B"), ("cab", "C A B")]
TEXTS = ["abc", "", "c", "zz"]  # one bucket

# Some texts are strange on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:At most 10% of the tokens")


def final_state_as_context():
    cell = k2s.layers.ChoCell(keras.layers.GRUCell(4), context="identity")
    encoder = k2s.layers.RecurrentEncoder(keras.layers.LSTM(3), reverse=True)
    return encoder, cell


def context_as_state():
    cell = k2s.layers.LuongCell(
        keras.layers.LSTMCell(6),
        score="dot",
        attention_vector="context",
        input_feeding=False,
        replace_state=True,
        output="both",
    )
    encoder = k2s.layers.RecurrentEncoder(
        keras.layers.GRU(3), bidirectional=True
    )
    return encoder, cell


def output_of_the_state():
    score = k2s.layers.ScaledDotProductScore(
        [5, 3], activation="tanh", use_scale=False
    )
    cell = k2s.layers.BahdanauCell(
        keras.layers.SimpleRNNCell(4), score, context_in_output=False
    )
    return k2s.layers.RecurrentEncoder(keras.layers.GRU(3)), cell


@pytest.fixture(
    scope="module",
    params=[final_state_as_context, context_as_state, output_of_the_state],
)
def task(request, tmp_path_factory):
    """A task, saved and loaded again."""
    tokenizers = k2s.tasks.TextToText.from_corpus(
        PAIRS, "luong_2015_small", target_tokenizer="symbol", **RECURRENT
    )
    encoder, cell = request.param()
    model = k2s.models.Seq2Seq(
        encoder,
        k2s.layers.RecurrentDecoder(cell),
        source_vocabulary_size=len(tokenizers.source_tokenizer.vocabulary),
        target_vocabulary_size=len(tokenizers.target_tokenizer.vocabulary),
        embedding_dim=4,
    )
    task = k2s.tasks.TextToText(
        shaken(model),
        tokenizers.source_tokenizer,
        tokenizers.target_tokenizer,
        k2s.search.BeamSearch(num_beams=3, n_best=2, max_length=3),
    )
    return saved_and_loaded(task, tmp_path_factory)


@pytest.fixture(scope="module")
def found(task):
    return task.generate(TEXTS, n_best=2)


def test_score_is_the_score_of_the_search(task, found):
    check_scores(task, TEXTS, found)


@pytest.mark.skipif(
    keras.backend.backend() != "tensorflow", reason="one export, one backend"
)
def test_served_equals_python(task, found, tmp_path):
    check_served(task, TEXTS, found, tmp_path / "model")
