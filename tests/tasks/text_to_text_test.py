import sys

import keras
import numpy as np
import pytest

import keras_seq2seq as k2s
from tests.fixtures import trained_task

PAIRS = [("abc", "A B C"), ("ab", "A B"), ("cab", "C A B"), ("c", "C")] * 4
# Three padded lengths: each is compiled anew on JAX.
ODD = ["attention", "", "Ω≈ç√", "a", "x" * 500, "KERA", "it's"]


def small_task(search="greedy", **kwargs):
    return k2s.tasks.TextToText.from_corpus(
        PAIRS,
        "luong_2015",
        target_tokenizer="symbol",
        search=search,
        units=4,
        embedding_dim=3,
        **kwargs,
    )


@pytest.fixture(scope="module")
def trained():
    return trained_task("bahdanau_2015")


@pytest.fixture(scope="module")
def luong():
    return trained_task("luong_2015")


class TestFromCorpus:
    def test_tokenizers_and_search(self):
        task = small_task(None)
        assert task.source_tokenizer.vocabulary.tokens == ("a", "b", "c")
        assert task.target_tokenizer.vocabulary.tokens == ("A", "B", "C")
        assert isinstance(task.search, k2s.search.BeamSearch)
        assert task.search.num_beams == 5
        assert task.model.source.vocabulary_size == 7
        assert task.model.target.vocabulary_size == 7

    def test_a_tokenizer_ready_to_use(self):
        tokenizer = k2s.text.CharacterTokenizer.from_texts(["abcdef"])
        task = small_task(source_tokenizer=tokenizer)
        assert task.source_tokenizer is tokenizer
        assert task.model.source.vocabulary_size == 10

    def test_the_corpus_names_its_tokenizers(self):
        corpus = k2s.data.cmudict().train[:5]
        task = k2s.tasks.TextToText.from_corpus(
            corpus, "bahdanau_2015", units=3, embedding_dim=2
        )
        assert isinstance(task.target_tokenizer, k2s.text.SymbolTokenizer)

    def test_errors(self):
        with pytest.raises(ValueError, match="`preset`.*bahdanau_2015"):
            k2s.tasks.TextToText.from_corpus(PAIRS, "bahdanau")
        with pytest.raises(ValueError, match="`source_tokenizer`.*character"):
            small_task(source_tokenizer="letters")
        with pytest.raises(TypeError, match="`corpus`"):
            k2s.tasks.TextToText.from_corpus("ab", "luong_2015")
        with pytest.raises(ValueError, match="`search`.*beam"):
            small_task("wide")
        with pytest.raises(ValueError, match="use_padding_mask=True"):
            small_task(use_padding_mask=True)
        with pytest.raises(TypeError, match="`model`.*Seq2Seq"):
            k2s.tasks.TextToText(None, None, None)
        task = small_task()
        more = k2s.text.SymbolTokenizer(
            k2s.text.Vocabulary([f"s{i}" for i in range(99)])
        )
        with pytest.raises(ValueError, match="`source_tokenizer`.*of 103"):
            k2s.tasks.TextToText(task.model, more, task.target_tokenizer)
        with pytest.raises(ValueError, match="`target_tokenizer`.*of 103"):
            k2s.tasks.TextToText(task.model, task.source_tokenizer, more)


class TestGenerate:
    @pytest.mark.filterwarnings("ignore:At most 10% of the tokens")
    def test_order_and_neighbours(self, trained):
        texts = [*ODD, *ODD[::-1]]
        found = trained.generate(texts, n_best=1)
        assert [h[0].text for h in found] == trained.generate(texts)
        for text, (best,) in zip(texts[:3], found):
            ((alone,),) = trained.generate([text], n_best=1)
            assert alone.text == best.text
            assert abs(alone.score - best.score) < 1e-5
        for forward, backward in zip(found, found[::-1]):
            assert forward[0].text == backward[0].text
            assert abs(forward[0].score - backward[0].score) < 1e-5

    def test_any_text_has_a_finite_answer(self, trained):
        found = trained.generate(ODD, n_best=2, return_attention_scores=True)
        for text, hypotheses in zip(ODD, found):
            for hypothesis in hypotheses:
                assert np.isfinite(hypothesis.score)
                assert np.isfinite(hypothesis.attention_scores).all()
                assert hypothesis.attention_scores.shape == (
                    len(hypothesis.tokens),
                    len(text),
                )

    def test_no_text(self, trained):
        assert trained.generate([]) == []
        assert trained.generate([], n_best=2) == []
        assert trained.score([]) == []

    def test_it_pronounces(self, trained, luong):
        for task in (trained, luong):
            assert task.generate(["testing"]) == ["T EH S T IH NG"]

    @pytest.mark.parametrize("name", ["trained", "luong"])
    def test_n_best(self, request, name):
        task = request.getfixturevalue(name)
        (found,) = task.generate(
            ["attention"], n_best=5, return_attention_scores=True
        )
        scores = [hypothesis.score for hypothesis in found]
        assert len({hypothesis.text for hypothesis in found}) == 5
        assert scores == sorted(scores, reverse=True)
        for hypothesis in found:
            assert hypothesis.text == " ".join(hypothesis.tokens)
            sums = np.sum(hypothesis.attention_scores, axis=1)
            np.testing.assert_allclose(sums, 1, atol=1e-5)
        ((best,),) = task.generate(["attention"], n_best=1)
        assert best.text == found[0].text
        assert best.attention_scores is None
        assert abs(best.score - scores[0]) < 1e-5

    @pytest.mark.parametrize("name", ["trained", "luong"])
    def test_score_equals_the_search_without_penalty(self, request, name):
        task = request.getfixturevalue(name)
        words = ["aimed", "batch", "cooker", "dozed", "equine", "fuzzy"]
        found = task.generate(words, n_best=3)
        pairs = [(w, h.text) for w, group in zip(words, found) for h in group]
        expected = [h.score for group in found for h in group]
        np.testing.assert_allclose(task.score(pairs), expected, atol=1e-5)

    @pytest.mark.parametrize(
        "texts, problem",
        [
            ("word", "texts of type `str`.*into a list"),
            (b"word", "texts of type `bytes`"),
            (None, "texts of type `NoneType`"),
            (["a", None], r"texts\[1\] of type `NoneType`"),
            (["a", "b", 3], r"texts\[2\] of type `int`"),
            ([b"a"], r"texts\[0\] of type `bytes`.*Decode"),
            (np.array("word"), "texts of type `ndarray`.*into a list"),
        ],
    )
    def test_errors(self, trained, texts, problem):
        with pytest.raises(TypeError, match=problem):
            trained.generate(texts)

    def test_n_best_errors(self, trained):
        with pytest.raises(ValueError, match="`n_best`.*num_beams=5"):
            trained.generate(["a"], n_best=6)
        with pytest.raises(ValueError, match="`n_best`.*at least 1"):
            trained.generate(["a"], n_best=0)
        with pytest.raises(ValueError, match="`n_best`.*GreedySearch"):
            small_task("greedy").generate(["a"], n_best=2)

    def test_score_errors(self, trained):
        with pytest.raises(TypeError, match=r"pairs\[1\]"):
            trained.score([("a", "AH"), "ab"])
        with pytest.raises(TypeError, match=r"target\[0\] of type `NoneType`"):
            trained.score([("a", None)])
        with pytest.raises(TypeError, match="`pairs` must be a list.*NoneType"):
            trained.score(None)

    def test_banned_errors(self, trained):
        with pytest.raises(TypeError, match="`banned` must be a list.*`int`"):
            trained.generate(["a"], banned=5)
        with pytest.raises(TypeError, match="`banned` must be a list.*`str`"):
            trained.generate(["a"], banned="AH")
        with pytest.raises(TypeError, match=r"`banned\[0\]`.*`NoneType`"):
            trained.generate(["a"], banned=[None])


class TestEvaluate:
    def test_by_hand(self, trained, monkeypatch):
        answers = {"one": "W AH N", "two": "T UW"}
        hypotheses = {
            word: [k2s.tasks.Hypothesis(text, -1.0, text.split())]
            for word, text in answers.items()
        }
        monkeypatch.setattr(
            trained,
            "generate",
            lambda texts, **kwargs: [hypotheses[text] for text in texts],
        )
        corpus = [("one", "W AH N"), ("two", "T AA"), ("two", "T UH")]
        found = trained.evaluate(corpus)
        assert found == {"per": 0.2, "wer": 0.5}
        assert trained.evaluate(corpus, metrics=None) == found

    def test_metrics_of_texts(self, trained, monkeypatch):
        hypotheses = [[k2s.tasks.Hypothesis("K AA", -1.0, ["K", "AA"])]] * 2
        monkeypatch.setattr(trained, "generate", lambda *a, **b: hypotheses)

        @k2s.metrics.reads_texts
        def own(references, hypotheses):
            return references, hypotheses

        corpus = [("a", "K AA"), ("b", "K  AA"), ("b", "K EH R")]
        found = trained.evaluate(
            corpus, metrics=["cer", "exact_match", "wer", own]
        )
        assert found["cer"] == 1 / 9  # a space, of 4 and 5 characters
        assert found["exact_match"] == 0.5
        assert found["wer"] == 0  # the tokens are equal
        texts = [["K AA"], ["K  AA", "K EH R"]]
        assert found["own"] == (texts, ["K AA", "K AA"])

    def test_metrics_of_sacrebleu(self, trained, monkeypatch):
        pytest.importorskip("sacrebleu")
        hypotheses = [[k2s.tasks.Hypothesis("K AA", -1.0, ["K", "AA"])]] * 2
        monkeypatch.setattr(trained, "generate", lambda *a, **b: hypotheses)
        corpus = [("a", "K AA"), ("b", "K EH"), ("b", "K EH R AH S")]
        found = trained.evaluate(corpus, metrics=["bleu", "chrf", "ter"])
        assert found["ter"] == pytest.approx(100 * 1 / (2 + 7 / 2))
        for name, score in found.items():
            assert score.signature.lower().startswith(name)
            assert "|nrefs:var|" in score.signature

    def test_perplexity_needs_no_generated_text(self, trained, monkeypatch):
        monkeypatch.setattr(trained, "generate", None)
        pairs = [("one", "W AH N"), ("two", "T UW"), ("two", "T OW")]
        found = trained.evaluate(pairs, metrics=["perplexity"])
        tokens = 3 + 2 + 2 + 3  # with the end of each
        expected = np.exp(-np.sum(trained.score(pairs)) / tokens)
        assert found == {"perplexity": pytest.approx(expected, rel=1e-5)}

    def test_hypotheses(self, trained):
        pairs = [("one", "W AH N"), ("two", "T UW")]
        for names in (["perplexity"], ["wer"]):
            rates, best = trained.evaluate(
                pairs, metrics=names, return_hypotheses=True
            )
            assert rates == trained.evaluate(pairs, metrics=names)
            texts = [hypothesis.text for hypothesis in best]
            assert texts == trained.generate(["one", "two"])

    def test_metrics_of_texts_and_of_log_probs(self, trained):
        @k2s.metrics.reads_log_probs
        def sizes(log_probs):
            return [[len(row) for row in group] for group in log_probs]

        pairs = [("one", "W AH N"), ("two", "T UW"), ("two", "T OW T")]
        found = trained.evaluate(pairs, metrics=["wer", sizes])
        assert found["sizes"] == [[4], [3, 4]]
        assert 0 <= found["wer"] <= 1

    def test_a_missing_package_is_said_before_a_search(
        self, trained, monkeypatch
    ):
        monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)
        monkeypatch.setattr(trained, "generate", None)
        with pytest.raises(ImportError, match=r"\[metrics\]"):
            trained.evaluate(PAIRS, metrics=["per", "bleu"])

    def test_words_never_seen(self, trained):
        found = trained.evaluate(k2s.data.cmudict().test[:300], verbose=False)
        assert 0 < found["per"] < 0.3
        assert found["per"] < found["wer"] < 0.8

    def test_errors(self, trained):
        with pytest.raises(ValueError, match="bleurt"):
            trained.evaluate(PAIRS, metrics=["bleurt"])
        with pytest.raises(TypeError, match="`metrics` must be a list.*'per'"):
            trained.evaluate(PAIRS, metrics="per")
        with pytest.raises(TypeError, match="`metrics` must be a list.*=5"):
            trained.evaluate(PAIRS, metrics=5)
        with pytest.raises(TypeError, match="`corpus`"):
            trained.evaluate("ab")
        twins = [lambda a, b: 1.0, lambda a, b: 2.0]
        with pytest.raises(ValueError, match="different names.*'<lambda>'"):
            trained.evaluate(PAIRS, metrics=twins)

    @pytest.mark.filterwarnings("ignore:At most 10% of the tokens")
    def test_a_metric_of_ones_own(self, trained):
        def count(references, hypotheses):
            return len(hypotheses)

        found = trained.evaluate(PAIRS[:2], metrics=[count, "wer"])
        assert list(found) == ["count", "wer"] and found["count"] == 2


class TestFit:
    def test_loss_falls_and_callbacks_see_the_model(self, tmp_path):
        task = small_task()
        task.compile(keras.optimizers.Adam(0.1), search="beam")
        assert isinstance(task.search, k2s.search.BeamSearch)
        checkpoint = keras.callbacks.ModelCheckpoint(
            tmp_path / "{epoch}.keras", verbose=0
        )
        stopping = keras.callbacks.EarlyStopping(
            "val_loss", patience=1, min_delta=100.0, restore_best_weights=True
        )
        history = task.fit(
            PAIRS,
            validation_data=PAIRS[:4],
            batch_size=4,
            num_buckets=1,
            epochs=20,
            verbose=0,
            callbacks=[checkpoint, stopping],
        )
        losses = history.history["loss"]
        assert losses[-1] < losses[0]
        assert history.model is task.model
        assert len(losses) == 2  # stopped, and back to the first epoch
        restored = keras.saving.load_model(tmp_path / "1.keras")
        for old, new in zip(restored.get_weights(), task.model.get_weights()):
            np.testing.assert_allclose(old, new, atol=1e-6)

    def test_tensorboard(self, tmp_path):
        pytest.importorskip("tensorflow")
        pytest.importorskip("tensorboard")
        task = small_task()
        task.compile()
        callback = keras.callbacks.TensorBoard(tmp_path)
        options = {"batch_size": 16, "num_buckets": 1, "verbose": 0}
        task.fit(PAIRS, callbacks=[callback], **options)
        assert list(tmp_path.rglob("events.out.*"))

    def test_errors(self):
        task = small_task()
        task.compile()
        with pytest.raises(TypeError, match="`corpus`.*from_tsv"):
            task.fit("ab.tsv")
        with pytest.raises(TypeError, match="`validation_data`"):
            task.fit(PAIRS, validation_data="ab")
        with pytest.raises(ValueError, match="`corpus` must hold at least one"):
            task.fit([])


def raise_here(*args):
    raise ArithmeticError("here")


class Interrupt(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        raise KeyboardInterrupt


@keras.saving.register_keras_serializable("tests")
class FailingSearch(k2s.search.GreedySearch):
    def __call__(self, step, states, **special):
        step(special, states, 0)
        raise ArithmeticError("here")


class TestFailure:
    """After a failed call the model gives its old answers."""

    OPTIONS = {"batch_size": 4, "num_buckets": 1, "verbose": 0}

    @pytest.fixture
    def task(self):
        task = small_task()
        task.compile()
        return task

    def test_in_a_training_step(self, task):
        before = task.generate(["abc"], n_best=1)
        task.compile(loss=raise_here)
        with pytest.raises(ArithmeticError):
            task.fit(PAIRS, **self.OPTIONS)
        assert task.generate(["abc"], n_best=1) == before

    def test_interrupted(self, task):
        with pytest.raises(KeyboardInterrupt):
            task.fit(PAIRS, callbacks=[Interrupt()], **self.OPTIONS)
        assert np.isfinite(task.generate(["abc"], n_best=1)[0][0].score)
        task.fit(PAIRS, **self.OPTIONS)  # and goes on

    def test_in_generate(self, task):
        before = task.generate(["abc"], n_best=1)
        search, task.search = task.search, FailingSearch()
        with pytest.raises(Exception):
            task.generate(["abc"])
        task.search = search
        assert task.generate(["abc"], n_best=1) == before
        assert task.generate(["a" * 20])  # a shape that is compiled anew


class TestEncoderFrom:
    @pytest.mark.filterwarnings("ignore:At most 10% of the tokens")
    def test_weights_and_tokenizer(self):
        first = small_task()
        pairs = [("cab", "x"), ("d", "y")]  # "d" is unknown to the first
        settings = {"units": 4, "embedding_dim": 3}
        second = k2s.tasks.TextToText.from_corpus(
            pairs, "luong_2015", encoder_from=first, **settings
        )
        assert second.source_tokenizer is first.source_tokenizer
        assert second.target_tokenizer.vocabulary.tokens == ("x", "y")
        for part in ("source_embedding", "encoder"):
            for old, new in zip(
                getattr(first.model, part).get_weights(),
                getattr(second.model, part).get_weights(),
                strict=True,
            ):
                np.testing.assert_array_equal(new, old)
        assert len(second.generate(["abd"])) == 1

    def test_errors(self):
        with pytest.raises(ValueError, match="another `source_tokenizer`"):
            small_task(encoder_from=small_task(), source_tokenizer="symbol")
        with pytest.raises(TypeError, match="`encoder_from` must be a `Text"):
            small_task(encoder_from=small_task().model)


def test_an_empty_target_is_the_end_token_alone():
    keras.utils.set_random_seed(0)
    pairs = [("a", ""), ("b", "B")]
    task = k2s.tasks.TextToText.from_corpus(
        pairs, "luong_2015", units=4, embedding_dim=3, dropout=0.0
    )
    (score,) = task.score(pairs[:1])
    (per_token,) = task.score(pairs[:1], per_token=True)
    assert len(per_token) == 1
    task.compile(keras.optimizers.Adam(0.1))
    history = task.fit(pairs[:1], epochs=1, verbose=0)
    np.testing.assert_allclose(history.history["loss"], [-score], atol=1e-5)


def test_an_unknown_token_can_be_forbidden():
    task = small_task()
    bias = np.zeros(7)
    bias[3] = 9.0
    task.model.output_layer.bias.assign(bias)
    (found,) = task.generate(["ab"], n_best=1)
    assert "[unknown]" in found[0].tokens
    (found,) = task.generate(["ab"], n_best=1, banned=["[unknown]"])
    assert "[unknown]" not in found[0].tokens
