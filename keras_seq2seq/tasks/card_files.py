"""The files of a model card in a task's folder."""

import hashlib
import json
import os

from keras_seq2seq.tasks.description import UNREADABLE
from keras_seq2seq.tasks.model_card import ModelCard
from keras_seq2seq.utils.caller import warn_caller
from keras_seq2seq.utils.files import read_text
from keras_seq2seq.utils.unfinished import hidden_folder

CARD, README, RECIPE = "card.json", "README.md", "recipe.yaml"
MOST = 2**22  # bytes
README_HASH = "readme_sha256"


def write_card(card, new, folder):
    """Write a card; a `README.md` that was edited since is kept.

    Args:
        card: `ModelCard`.
        new: Path of the folder to write to.
        folder: Path of the folder that it will replace.
    """
    text = card.to_markdown(folder.name)
    kept = _edited(folder)
    content = {**json.loads(card.to_json()), README_HASH: _sha256(text)}
    content = json.dumps(content, indent=1, allow_nan=False)
    (new / CARD).write_text(content + "\n", encoding="utf-8")
    (new / README).write_bytes(text.encode() if kept is None else kept)
    if card.recipe is not None:
        import yaml

        recipe = yaml.safe_dump(
            card.recipe, sort_keys=False, allow_unicode=True
        )
        (new / RECIPE).write_text(recipe, encoding="utf-8")


def read_card(folder):
    """Read the card in a folder, or create an empty one.

    A task without a card may be older than cards.
    """
    if not (folder / CARD).exists():
        return ModelCard()
    try:
        return ModelCard.from_json(read_text(folder / CARD, MOST))
    except UNREADABLE as error:
        warn_caller(
            f"{CARD} cannot be read ({error}): the model card of the loaded "
            "task is empty."
        )
        return ModelCard()


def add_evaluation(folder, entry):
    """Add an evaluation to the card in a task's folder, and nothing else.

    Args:
        folder: Path.
        entry: Dict, an entry of `ModelCard.evaluations`.

    Returns:
        Boolean. `False` where the folder has no card that can be read, or
        cannot be written to: it stays as it was.
    """
    folder = folder.resolve()
    try:
        card = ModelCard.from_json(read_text(folder / CARD, MOST))
        card.add_evaluation(entry)
        with hidden_folder(folder) as work:
            new = work / "new"
            new.mkdir()
            write_card(card, new, folder)
            for name in (README, CARD):
                os.replace(new / name, folder / name)
    except UNREADABLE:
        return False
    return True


def _edited(folder):
    """Content of a `README.md` that `save` has not written, or `None`."""
    if not (folder / README).is_file():
        return None
    content = (folder / README).read_bytes()
    try:
        written = json.loads(read_text(folder / CARD, MOST))[README_HASH]
    except (*UNREADABLE, KeyError, TypeError):
        return content
    return None if hashlib.sha256(content).hexdigest() == written else content


def _sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()
