"""Which score goes with which normalizer and with heads, as documented."""

import pathlib

import numpy as np
import pytest
from keras import ops

from keras_seq2seq.layers import AttentionMechanism
from keras_seq2seq.layers import AttentionNormalizer
from keras_seq2seq.layers import AttentionScore
from keras_seq2seq.layers import MultiHeadMechanism
from keras_seq2seq.utils import registry

PAGE = pathlib.Path(__file__).parents[3] / "examples" / "attention.md"
QUERY, VALUE = np.ones((2, 3, 4)), np.ones((2, 5, 4))
MASK = np.array([[1, 1, 1, 0, 0], [0, 0, 0, 0, 0]], bool)


def members(family):
    """Names of the package's own members, without those of other tests."""
    return sorted(
        name
        for name, cls in registry.names(family).items()
        if cls.__module__.startswith("keras_seq2seq.")
    )


def table(first):
    """Rows of the table whose first column is `first`, as dicts by name."""
    lines = PAGE.read_text().replace(r"\|", "/").splitlines()
    rows = [[x.strip(" `") for x in s.split("|")[1:-1]] for s in lines]
    begin = next(i for i, row in enumerate(rows) if row and row[0] == first)
    end = next(i for i in range(begin, len(rows)) if not rows[i])
    return {
        row[0]: dict(zip(rows[begin], row)) for row in rows[begin + 2 : end]
    }


SCORES, NORMALIZERS = table("score"), table("normalizer")


def says_yes(cell):
    assert cell[:2] in ("ye", "no")
    return cell == "yes"


def test_the_tables_are_whole():
    assert sorted(SCORES) == members(AttentionScore)
    assert sorted(NORMALIZERS) == members(AttentionNormalizer)


@pytest.mark.parametrize("normalizer", sorted(NORMALIZERS))
@pytest.mark.parametrize("score", sorted(SCORES))
def test_one_head(score, normalizer):
    assert says_yes(SCORES[score][normalizer])
    assert says_yes(NORMALIZERS[normalizer]["one head"])
    attention = AttentionMechanism(score, normalizer)
    state = None
    for _ in range(2):
        context, scores, *state = attention(
            QUERY,
            VALUE,
            value_mask=ops.array(MASK),
            state=state[0] if state else None,
        )
        assert np.isfinite(ops.convert_to_numpy(context)).all()
        assert not (ops.convert_to_numpy(scores) * ~MASK[:, None]).any()


@pytest.mark.parametrize("normalizer", sorted(NORMALIZERS))
@pytest.mark.parametrize("score", sorted(SCORES))
def test_heads(score, normalizer):
    cells = SCORES[score]["heads"], NORMALIZERS[normalizer]["heads"]
    if not all(says_yes(cell) for cell in cells):
        with pytest.raises(
            ValueError, match="does not support several heads: it"
        ):
            MultiHeadMechanism(score, 2, normalizer=normalizer)
        return
    attention = MultiHeadMechanism(score, 2, normalizer=normalizer)
    context, scores = attention(QUERY, VALUE, value_mask=ops.array(MASK))
    assert tuple(context.shape) == VALUE[:, :3].shape
    np.testing.assert_allclose(
        ops.convert_to_numpy(scores).sum(-1),
        MASK.any(1)[:, None] * np.ones(3),
        rtol=1e-5,
    )
