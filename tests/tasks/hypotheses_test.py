import numpy as np

from keras_seq2seq.tasks.copying import source_words
from keras_seq2seq.tasks.hypotheses import create_hypotheses
from keras_seq2seq.tasks.hypothesis import Hypothesis
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
    found = create_hypotheses(
        row([[4, 5, 2, 0], [5, 4, 4, 4]], [3, 4]), ["a", "b"], TOKENIZER
    )
    assert [h.text for h in found] == ["A B", "B A A A"]
    assert [h.score for h in found] == [-1.0, -2.0]
    assert found[0].tokens == ["A", "B"]
    assert found[0].attention_scores is None


def test_attention_scores_are_cut_to_what_is_real():
    scores = np.arange(24.0).reshape(1, 4, 6)
    answer = row([[4, 5, 2, 0]], [3], attention_scores=scores)
    (found,) = create_hypotheses(answer, ["a", "b"], TOKENIZER)
    np.testing.assert_array_equal(
        found.attention_scores, [[0.0, 1.0], [6.0, 7.0]]
    )


def test_places_without_a_hypothesis():
    found = create_hypotheses(row([[4, 2], [0, 0]], [2, 0]), ["a"], TOKENIZER)
    assert len(found) == 1


def test_nothing_found():
    (found,) = create_hypotheses(row([[0, 0]], [0]), ["a"], TOKENIZER)
    assert (found.text, found.tokens) == ("", [])


def test_log_probs():
    answer = row(
        [[4, 2, 0], [5, 5, 5]],
        [2, 3],
        log_probs=np.array([[-1.0, -2.0, 0.0], [-3.0, -4.0, -5.0]]),
        total_log_probs=np.array([-3.0, -12.0]),
    )
    found = create_hypotheses(answer, ["a"], TOKENIZER)
    assert found[0].log_probs.tolist() == [-1.0, -2.0]  # the end token's too
    assert found[1].log_probs.tolist() == [-3.0, -4.0, -5.0]
    assert [h.total_log_prob for h in found] == [-3.0, -12.0]


def test_replacement_of_unknown_tokens():
    scores = np.array([[[0.1, 0.9, 9.0], [0.2, 0.1, 9.0], [0.6, 0.4, 9.0]]])
    answer = row([[3, 4, 3]], [3], attention_scores=scores)
    settings = {"words": source_words(TOKENIZER, "x y")}
    (found,) = create_hypotheses(answer, ["x", "y"], TOKENIZER, **settings)
    assert found.tokens == ["y", "A", "x"]
    assert found.text == "y A x"
    # A model without attention has no place to copy from.
    nothing = row([[3, 4, 3]], [3], attention_scores=0 * scores)
    (found,) = create_hypotheses(nothing, ["x", "y"], TOKENIZER, **settings)
    assert found.tokens == ["[unknown]", "A", "[unknown]"]
    # An empty source has nothing to put there.
    (found,) = create_hypotheses(answer, [], TOKENIZER, words=[])
    assert found.tokens == ["[unknown]", "A", "[unknown]"]


def test_equal_hypotheses():
    scores = np.eye(2)
    one = Hypothesis("a", -1.0, ["a"], scores, scores[0], -1.0)
    assert one == Hypothesis("a", -1.0, ["a"], scores + 0, scores[0], -1.0)
    assert one != Hypothesis("a", -1.0, ["a"], scores + 1, scores[0], -1.0)
    assert one != Hypothesis("a", -1.0, ["a"])
    assert one != Hypothesis("a", -1.0, ["a", "b"], scores, scores[0], -1.0)
