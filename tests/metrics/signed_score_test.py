import copy
import json
import pickle

from keras_seq2seq.metrics import SignedScore


def test_it_is_a_float_with_a_signature():
    score = SignedScore(21.5, "BLEU|nrefs:1")
    assert score == 21.5 and isinstance(score, float)
    assert score.signature == "BLEU|nrefs:1"
    assert repr(score) == "SignedScore(21.5, 'BLEU|nrefs:1')"
    assert str(score) == "21.5" and f"{score:.2f}" == "21.50"
    assert json.dumps({"bleu": score}) == '{"bleu": 21.5}'
    assert type(score / 2) is float


def test_copies():
    score = SignedScore(1 / 3, "chrF2|nrefs:var")
    for other in (
        pickle.loads(pickle.dumps(score)),
        copy.deepcopy(score),
        eval(repr(score)),
    ):
        assert type(other) is SignedScore
        assert (other, other.signature) == (score, score.signature)
