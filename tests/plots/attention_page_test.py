"""The page, as a string and in a real browser."""

import html.parser
import json
import re
import resource
import shutil
import subprocess

import numpy as np
import pytest

from keras_seq2seq import plots
from keras_seq2seq.tasks import Hypothesis

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
# A browser reserves more memory than such a limit allows.
LIMITED = resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
in_a_browser = pytest.mark.skipif(
    BROWSER is None or LIMITED,
    reason="no Chromium is installed to open the page in"
    if BROWSER is None
    else "the limit of virtual memory lets no Chromium start",
)
BAD = "</script><script>document.title='broken'</script><!--"
SOURCE = ["der", "Hund", "schläft"]
FIRST = Hypothesis(
    "the dog sleeps",
    -0.25,
    ["the", "dog", "sleeps"],
    np.array([[0.9, 0.1, 0.0], [0.25, 0.7, 0.05], [0.0, 0.2, 0.8]]),
)
SECOND = Hypothesis("a dog", -1.5, ["a", "dog"], np.eye(3)[:2])
THIRD = Hypothesis(BAD, -2, [BAD, "שלום"], np.eye(2))
SENTENCES = [SOURCE, ["مرحبا", BAD]], [[FIRST, SECOND], [THIRD]]


def data_of(page):
    found = re.search(
        r'<script type="application/json" id="data">(.*?)</script>',
        page,
        re.DOTALL,
    )
    return json.loads(found[1])


def test_data():
    first, second = data_of(plots.attention_page(*SENTENCES))
    assert first["source"] == SOURCE
    assert [x["score"] for x in first["hypotheses"]] == ["-0.25", "-1.50"]
    scores = [[900, 100, 0], [250, 700, 50], [0, 200, 800]]
    assert first["hypotheses"][0]["scores"] == scores
    assert second["source"][1] == second["hypotheses"][0]["words"][0] == BAD


def test_one_hypothesis_a_sentence_and_empty_ones(tmp_path):
    empty = Hypothesis("", -1.0, [], np.zeros((0, 2)))
    path = tmp_path / "page.html"
    page = plots.attention_page([["a", " "], []], [empty, empty], path=path)
    assert path.read_text(encoding="utf-8") == page
    first, second = data_of(page)
    assert first["source"] == ["a", "␣"] and second["source"] == []
    assert first["hypotheses"][0]["words"] == []


def test_nothing_is_loaded_and_nothing_breaks_out():
    page = plots.attention_page(*SENTENCES, title="<b>$data & more")
    assert "broken" not in re.sub(
        r'id="data">.*?</script>', "", page, count=1, flags=re.DOTALL
    )
    assert page.count("<script") == page.count("</script>") == 2
    assert page.count("<title>&lt;b&gt;$data &amp; more</title>") == 1
    assert "default-src 'none'" in page
    assert not re.search(r"https?:|\bsrc\s*=|url\(|@import|\beval\b", page)


def test_errors(tmp_path):
    plain = Hypothesis("a", -1.0, ["a"])
    layers = Hypothesis("a", -1.0, ["a"], {"memory": {}})
    for bad, problem in (
        (([], []), r"len\(source_tokens\)=0"),
        (([["a"]], []), r"len\(hypotheses\)=0"),
        (([["a"]], [[]]), r"`hypotheses\[0\]` must hold at least one"),
        (([["a"]], [[plain]]), "with scores of type `NoneType`"),
        (([["a"]], [[layers]]), "with scores of type `dict`"),
        (([["a"]], ["a"]), "type `str`"),
        (([SOURCE[:2]], [[FIRST]]), r"shape \(3, 3\)"),
    ):
        with pytest.raises(ValueError, match=problem):
            plots.attention_page(*bad)
    with pytest.raises(TypeError, match=r"`source_tokens\[0\]` must be a list"):
        plots.attention_page(["der"], [[FIRST]])
    with pytest.raises(OSError, match="has no parent folder"):
        plots.attention_page(*SENTENCES, path=tmp_path / "none" / "page.html")


class Words(html.parser.HTMLParser):
    """Attributes of the words of a page, and the answers that are chosen."""

    def __init__(self, page):
        super().__init__()
        self.words, self.chosen, self.title, self.tag = [], [], "", None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        kind, self.tag = attributes.get("class"), tag
        if kind == "word":
            self.words.append({"text": "", **attributes})
        elif kind == "choice":
            self.chosen.append(attributes["aria-checked"] == "true")
        self.is_word = kind == "word"

    def handle_data(self, text):
        if self.tag == "title":
            self.title += text
        elif self.tag == "span" and self.is_word:
            self.words[-1]["text"] += text

    def handle_endtag(self, tag):
        self.tag = None

    def shaded(self):
        """Dict of word -> percent, of those that are shaded."""
        return {
            word["text"]: int(word["data-percent"].split("\u2009")[0])
            for word in self.words
            if "data-percent" in word
        }

    def pressed(self):
        return [x["text"] for x in self.words if x["aria-pressed"] == "true"]


@pytest.fixture
def open_page(tmp_path):
    """Function that opens a page, runs a script, and returns its `Words`."""

    def run(script="", hash="", sentences=SENTENCES):
        page = plots.attention_page(*sentences, title="A title")
        path = tmp_path / "page.html"
        more = f"<script>{HELPERS}{script}</script></body>"
        path.write_text(page.replace("</body>", more), encoding="utf-8")
        done = subprocess.run(
            [
                BROWSER,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                f"--user-data-dir={tmp_path / 'profile'}",
                "--dump-dom",
                f"{path.as_uri()}{hash}",
            ],
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return Words(done.stdout)

    return run


HELPERS = """
const find = (text) => [...document.querySelectorAll(".word")]
  .filter((node) => node.textContent === text).pop();
const point = (text, kind = "pointerover") => find(text)
  .dispatchEvent(new PointerEvent(kind, { bubbles: true }));
const press = (key) => document.activeElement
  .dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const go = (hash) => {
  history.replaceState(null, "", hash);
  dispatchEvent(new HashChangeEvent("hashchange"));
};
const seen = [];
const see = () => { // the words that are pressed
  const all = document.querySelectorAll('.word[aria-pressed="true"]');
  seen.push([...all].map((node) => node.textContent).join());
  document.title = JSON.stringify(seen);
};
"""


@in_a_browser
def test_pointing_shades_the_words_attended_to(open_page):
    found = open_page("point('dog')")
    assert found.shaded() == {"der": 25, "Hund": 70, "schläft": 5}
    assert found.pressed() == ["dog"]
    weights = [x.get("style", "") for x in found.words[:3]]
    most = 900  # the largest score has the full color
    for weight, score in zip(weights, (250, 700, 50)):
        number = float(re.search(r"--weight:\s*([\d.]+)", weight)[1])
        assert number == pytest.approx(score / most)
    source = open_page("point('dog'); point('dog', 'pointerout'); point('der')")
    assert source.shaded() == {"the": 90, "dog": 25}


@in_a_browser
def test_a_click_keeps_a_word(open_page):
    found = open_page(
        "point('dog'); see(); point('dog', 'pointerout'); see();"
        "find('dog').click(); point('dog', 'pointerout'); see();"
        "point('der'); see(); point('der', 'pointerout'); see();"
        "press('Escape'); see();"
    )
    assert json.loads(found.title) == ["dog", "", "dog", "der", "dog", ""]


@in_a_browser
def test_the_address_selects_a_word(open_page):
    found = open_page(hash="#1/2/o2")
    assert found.chosen == [False, True, True]
    assert found.shaded() == {"Hund": 100}
    found = open_page(
        "see(); for (const hash of ['#1/1/o3', '#1/1/s2', '#2/1/o1'])"
        "{ go(hash); see(); press('Escape'); }"
        "for (const hash of ['#1/3/o1', '#9/1/o1', '#1/1/o9', '#x'])"
        "{ go(hash); see(); }"
    )
    assert json.loads(found.title) == ["", "sleeps", "Hund", BAD, *[""] * 4]


@in_a_browser
def test_keys(open_page):
    found = open_page(
        "find('the').focus(); see(); for (const key of ['ArrowRight', 'End', "
        "'ArrowRight', 'ArrowUp', 'Home', 'ArrowDown', '2'])"
        "{ press(key); see(); }"
    )
    words = ["the", "dog", "sleeps", "sleeps", "der", "der", "sleeps", "a"]
    assert json.loads(found.title) == words
    assert found.chosen == [False, True, True]
    # Of a line from right to left the next word is to the left.
    found = open_page(
        "find('مرحبا').focus(); for (const key of ['ArrowRight', 'ArrowLeft'])"
        "{ press(key); see(); }"
    )
    assert json.loads(found.title) == ["مرحبا", BAD]


@in_a_browser
def test_texts_that_look_like_tags_are_texts(open_page):
    found = open_page(
        "document.querySelectorAll('.words').forEach((line) => line.lastChild"
        ".dataset.percent = getComputedStyle(line).direction === 'rtl' | 0)"
    )
    assert found.title == "A title"
    assert [x["text"] for x in found.words].count(BAD) == 2
    assert found.shaded() == {"schläft": 0, "sleeps": 0, BAD: 1, "שלום": 0}


@in_a_browser
def test_find_and_order(open_page):
    script = (
        "const set = (id, value, kind) => { const node = document"
        ".getElementById(id); node.value = value; "
        "node.dispatchEvent(new Event(kind)); };"
        "set('find', 'HUND', 'input'); set('order', 'low', 'change');"
        "document.title = [...main.children].map((x) => "
        "x.querySelector('b').textContent + x.hidden).join()"
    )
    assert open_page(script).title == "2true,1false"
