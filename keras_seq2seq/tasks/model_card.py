import dataclasses
import datetime
import json
import numbers

from keras_seq2seq.tasks import card_markdown

FORMAT = 1
MOST_EVALUATIONS = 50
STRINGS = ("description", "license", "command", "date")
LISTS = ("trainings", "evaluations")
DICTS = ("data", "settings", "results", "metrics")


@dataclasses.dataclass
class ModelCard:
    """Model card: what a task is, how it was trained and how good it is.

    `task.card` is the card of a task. `fit` and `evaluate` add to it, and
    `save` writes it to the task's folder as `README.md` and `card.json`. It
    holds numbers, names of classes and settings, but no data.

    Args:
        description: String. What the task is for; a paragraph of your own.
            Defaults to `None`.
        license: String. A license of the model, such as `"cc-by-4.0"`.
            Defaults to `None`.
        command: String. The command that trained the task. Defaults to `None`.
        recipe: Dict of plain values: the recipe of that command, which is also
            written to `recipe.yaml`. Defaults to `None`.
        date: String. When the task was saved. Defaults to `None`.
        model: Dict. What the task is, set by `save`.
        versions: Dict of name -> version that saved the task.
        trainings: List with a dict for each call of `fit`.
        evaluations: List with a dict for each call of `evaluate` since the last
            training.

    Example:

    >>> card = k2s.tasks.ModelCard(license="cc-by-4.0")
    >>> card.record_evaluation({"wer": 0.25}, data={"sources": 8})
    >>> print(card.to_markdown("mine"))
    ---
    library_name: keras_seq2seq
    license: "cc-by-4.0"
    ...
    """

    description: str | None = None
    license: str | None = None
    command: str | None = None
    recipe: dict | None = None
    date: str | None = None
    model: dict = dataclasses.field(default_factory=dict)
    versions: dict = dataclasses.field(default_factory=dict)
    trainings: list = dataclasses.field(default_factory=list)
    evaluations: list = dataclasses.field(default_factory=list)

    def record_training(self, *, data, settings, results, seed=None):
        """Add a training; evaluations of the weights before it are removed.

        Args:
            data: Dict of name -> number, such as `{"pairs": 1000}`.
            settings: Dict of plain values, such as `{"batch_size": 128}`.
            results: Dict of name -> number, such as the final `loss`.
            seed: Integer or `None`.
        """
        training = {"date": now(), "data": data, "settings": settings}
        training |= {"results": results, "seed": seed}
        self.trainings = [*self.trainings, plain(training)]
        self.evaluations = []

    def record_evaluation(self, metrics, *, data, search=None):
        """Add an evaluation; it replaces one of the same metrics and data.

        Args:
            metrics: Dict of name -> number. Other values are left out.
            data: Dict of name -> number, such as `{"sources": 100}`, or string,
                such as `{"corpus": "test.tsv"}`.
            search: Dict of plain values, or `None`.
        """
        values = {
            name: _value(metric)
            for name, metric in metrics.items()
            if isinstance(metric, numbers.Real)
        }
        if not values:
            return
        new = plain({"data": data, "search": search, "metrics": values})
        self.add_evaluation({"date": now(), **new})

    def add_evaluation(self, entry):
        """Add an entry of `evaluations`, as `record_evaluation` does."""
        others = [x for x in self.evaluations if not _same(x, entry)]
        self.evaluations = [*others, entry][-MOST_EVALUATIONS:]

    def to_json(self):
        """Return the card as a string of JSON."""
        card = {"format": FORMAT, **dataclasses.asdict(self)}
        return json.dumps(plain(card), indent=1, allow_nan=False)

    @classmethod
    def from_json(cls, text):
        """Create a card from a string of `to_json`."""
        card = json.loads(text)
        fields = {field.name for field in dataclasses.fields(cls)}
        known = isinstance(card, dict) and card.get("format") == FORMAT
        card = {n: x for n, x in card.items() if n in fields} if known else {}
        if not known or not all(_is_valid(*item) for item in card.items()):
            raise ValueError(
                "A model card must be JSON that `to_json` wrote, of format "
                f"{FORMAT}. Received: something else."
            )
        return cls(**card)

    def to_markdown(self, name="task"):
        """Return the card as Markdown with YAML metadata.

        Args:
            name: String. The title, and the folder in the example of use.
        """
        return card_markdown.render(self, name)


def now():
    """Date and time, in UTC."""
    time = datetime.datetime.now(datetime.UTC)
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")


def plain(value):
    """Convert a value to plain JSON; numbers to at most 7 digits."""
    if isinstance(value, dict):
        return {str(name): plain(x) for name, x in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(x) for x in value]
    if value is None or isinstance(value, (bool, str, int)):
        return value
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    is_finite = abs(number) < float("inf")
    return float(f"{number:.7g}") if is_finite else str(number)


def _value(metric):
    signature = getattr(metric, "signature", None)
    return {"value": metric, **({"signature": signature} if signature else {})}


def _same(one, other):
    return (one.get("data"), one.get("search"), [*one.get("metrics", ())]) == (
        other.get("data"),
        other.get("search"),
        [*other.get("metrics", ())],
    )


def _is_valid(name, value):
    if name in STRINGS:
        return value is None or isinstance(value, str)
    if name in LISTS:
        return isinstance(value, list) and all(
            isinstance(entry, dict)
            and all(isinstance(entry.get(n, {}), dict) for n in DICTS)
            for entry in value
        )
    return isinstance(value, dict) or (name == "recipe" and value is None)
