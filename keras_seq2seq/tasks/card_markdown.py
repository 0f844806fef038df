"""Writes a model card as Markdown."""

import json

TEXTS = {"TextToText": '["a text"]', "TextCompletion": '["a beginning"]'}
NO_LICENSE = (
    "Not stated. Choose one with "
    '`task.card.license = "cc-by-4.0"` and save the task again.'
)
EDIT = (
    "<!-- Written by `task.save`, which keeps a file that was edited. "
    "`task.card.description` and `task.card.license` are for your words. -->"
)
RECIPE = ", its recipe is [recipe.yaml](recipe.yaml)"


def render(card, name):
    """Markdown of a `ModelCard`, with YAML metadata in front."""
    sections = [
        _metadata(card),
        EDIT,
        f"# {_text(name)}",
        card.description,
        _section("Use", _example(card, name)),
        _section("Model", _table(_model_rows(card.model))),
        _section("Training", _trainings(card)),
        _section("Evaluation", _evaluations(card)),
        _section("Versions", _table(card.versions.items())),
        f"## License\n\n{_text(card.license or '') or NO_LICENSE}",
        f"Saved {_text(card.date)}." if card.date else None,
    ]
    return "\n\n".join(part for part in sections if part) + "\n"


def _metadata(card):
    # A string of JSON is one of YAML.
    license = json.dumps(card.license or "unknown")
    lines = ["library_name: keras_seq2seq", f"license: {license}", "tags:"]
    tags = ["keras", "seq2seq", card.model.get("preset")]
    lines += [f"- {json.dumps(str(tag))}" for tag in tags if tag]
    return "\n".join(["---", *lines, "---"])


def _section(title, body):
    return f"## {title}\n\n{body}" if body else None


def _example(card, name):
    kind, own = str(card.model.get("class")), ""
    if card.model.get("module", "keras_seq2seq") != "keras_seq2seq":
        own = f"  # import the module of `{_text(kind)}` first"
    argument = TEXTS.get(kind, "sources")
    lines = [
        "import keras_seq2seq as k2s",
        f"task = k2s.tasks.load({json.dumps(name)}){own}",
        f"print(task.generate({argument}))",
    ]
    return "\n".join(["```python", *lines, "```"])


def _model_rows(model):
    for name, value in model.items():
        if name != "module" and value is not None:
            yield name.replace("_", " "), value


def _trainings(card):
    """A column for each training, a row for each of its facts."""
    columns = [
        {
            "date": training.get("date"),
            **training.get("data", {}),
            **training.get("settings", {}),
            "seed": training.get("seed"),
            **{
                _result(name): value
                for name, value in training.get("results", {}).items()
            },
        }
        for training in card.trainings
    ]
    names = dict.fromkeys(name for column in columns for name in column)
    rows = [
        (name, *(column.get(name) for column in columns))
        for name in names
        if any(column.get(name) is not None for column in columns)
    ]
    command = f"`{_text(card.command)}`" if card.command else None
    recipe = "" if card.recipe is None else RECIPE
    last = command and f"The last one was run by {command}{recipe}."
    parts = [_table(rows), last]
    return "\n\n".join(part for part in parts if part)


def _result(name):
    return name if name in ("epochs", "steps") else f"final {name}"


def _evaluations(card):
    usual = card.model.get("search")
    rows = [
        (
            name,
            _measured(name, found),
            _counts(entry.get("data", {})),
            "as above" if entry.get("search") == usual else entry.get("search"),
            found.get("signature"),
        )
        for entry in card.evaluations
        for name, found in entry.get("metrics", {}).items()
        if isinstance(found, dict)
    ]
    header = ("metric", "value", "data", "search", "signature")
    return _table(rows, header) if rows else None


def _counts(data):
    """Such as `8 sources, test.tsv`: a string needs no name."""
    return ", ".join(
        _text(n) if isinstance(n, str) else f"{_cell(n)} {_text(name)}"
        for name, n in data.items()
    )


def _measured(name, found):
    """Percent, as a metric is usually reported."""
    value = found.get("value")
    if not isinstance(value, (int, float)):
        return value
    if "signature" in found or name == "perplexity":
        return f"{value:.2f}"
    is_fraction = name in ("per", "wer", "cer", "exact_match")
    return f"{value:.2%}" if is_fraction else value


def _table(rows, header=None):
    rows = [[_cell(cell) for cell in row] for row in rows]
    if not rows:
        return None
    header = header or [""] * len(rows[0])
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value):
    if value is None:
        return ""
    if isinstance(value, dict):  # of a search or an optimizer
        first = _cell(value.get("class"))
        others = [
            f"{_cell(name)}={_cell(x)}"
            for name, x in value.items()
            if name not in ("class", "name") and x is not False
        ]
        return ", ".join([first, *others] if first else others)
    if isinstance(value, list):
        return " and ".join(map(_cell, value))
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return _text(value)


def _text(value):
    """A text on one line, without the characters of tables and tags."""
    text = " ".join(str(value).split())
    for character, replacement in (
        ("&", "&amp;"),
        ("<", "&lt;"),
        ("|", "\\|"),
        ("`", "'"),
    ):
        text = text.replace(character, replacement)
    return text
