"""Answers of `generate` as lines, and texts without an answer."""

import json
import sys

import keras
import numpy as np

SHOWN = 5  # numbers of lines in a report


class Unanswered:
    """Texts that could not be answered, by the numbers of their lines."""

    def __init__(self):
        self.broken, self.long = [], []

    def watch(self, lines):
        """Yield the texts of lines, `None` for one that is not UTF-8."""
        for number, text in lines:
            if text is None:
                self.broken.append(number)
            yield text

    def add(self, number, text):
        if text is not None:
            self.long.append(number)

    def report(self):
        """Say on standard error which lines have an empty answer."""
        for numbers, reason in (
            (self.broken, "not UTF-8"),
            (self.long, "too long for the model"),
        ):
            if numbers:
                shown = ", ".join(map(str, numbers[:SHOWN]))
                more = ", ..." if len(numbers) > SHOWN else ""
                print(
                    f"keras-seq2seq: warning: {len(numbers):,} lines without "
                    f"an answer, {reason}: {shown}{more}",
                    file=sys.stderr,
                )


def format_of(options):
    """Function of a text and what `generate` returned for it; lines.

    Both are `None` for a text that cannot be read, the latter for one that is
    too long.
    """
    if options.json:
        return _to_json
    return _to_line if options.n_best is None else _to_table


def _to_line(text, answer):
    return f"{answer or ''}\n"


def _to_table(text, hypotheses):
    if hypotheses is None:
        return f"{text or ''}\t\t\n"
    return "".join(
        f"{text}\t{best.score:.4f}\t{best.text}\n" for best in hypotheses
    )


def _to_json(text, hypotheses):
    row = {"text": text, "answers": [*map(_to_dict, hypotheses or ())]}
    return json.dumps(row, ensure_ascii=False) + "\n"


def _to_dict(best):
    answer = {"text": best.text, "score": round(best.score, 4)}
    answer["tokens"] = best.tokens
    if best.attention_scores is not None:
        answer["attention_scores"] = keras.tree.map_structure(
            lambda x: np.round(x, 4).tolist(), best.attention_scores
        )
    return answer
