import numpy as np

from keras_seq2seq.tasks.answers import hypotheses_of
from keras_seq2seq.text import SymbolTokenizer
from keras_seq2seq.text import Vocabulary

TOKENIZER = SymbolTokenizer(Vocabulary(["A", "B"]))  # ids 4 and 5


def row(token_ids, lengths, **more):
    scores = -np.arange(1.0, len(lengths) + 1)
    return {
        "token_ids": np.array(token_ids),
        "lengths": np.array(lengths),
        "scores": scores,
        **more,
    }


def test_texts_scores_and_tokens():
    found = hypotheses_of(
        row([[4, 5, 2, 0], [5, 4, 4, 4]], [3, 4]), 2, TOKENIZER
    )
    assert [h.text for h in found] == ["A B", "B A A A"]
    assert [h.score for h in found] == [-1.0, -2.0]
    assert found[0].tokens == ["A", "B"]
    assert found[0].attention_scores is None


def test_attention_scores_are_cut_to_what_is_real():
    scores = np.arange(24.0).reshape(1, 4, 6)
    answer = row([[4, 5, 2, 0]], [3], attention_scores=scores)
    (found,) = hypotheses_of(answer, 2, TOKENIZER)
    np.testing.assert_array_equal(
        found.attention_scores, [[0.0, 1.0], [6.0, 7.0]]
    )


def test_places_without_a_hypothesis():
    found = hypotheses_of(row([[4, 2], [0, 0]], [2, 0]), 1, TOKENIZER)
    assert len(found) == 1


def test_nothing_found():
    (found,) = hypotheses_of(row([[0, 0]], [0]), 1, TOKENIZER)
    assert (found.text, found.tokens) == ("", [])
