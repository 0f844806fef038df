"""Files of what tasks generated, beside the references."""

import json
import re

from keras_seq2seq.utils.files import new_file


def write_outputs(path: str, corpus, systems: list) -> None:
    """Write a line for each source: JSON if `path` ends with `.jsonl`.

    Other files are separated by tabs, with a header; tabs and line ends in a
    text become spaces.

    Args:
        path: Path.
        corpus: `ParallelCorpus`.
        systems: List of lists of `Hypothesis`, of one or two tasks.
    """
    line = _to_json if str(path).endswith(".jsonl") else _to_tsv
    with new_file(path, "--output") as file:
        if line is _to_tsv:
            file.write("\t".join(_header(corpus, systems)) + "\n")
        for source, group, *best in zip(
            corpus.sources, corpus.references, *systems
        ):
            file.write(line(source, group, best) + "\n")


def _header(corpus, systems):
    names = ["source", "hypothesis", "score"]
    names += ["other_hypothesis", "other_score"] * (len(systems) > 1)
    most = max(map(len, corpus.references))
    return [*names, *["reference"] * most]


def _to_json(source, references, hypotheses):
    row = {"source": source}
    for prefix, best in zip(("", "other_"), hypotheses):
        row[f"{prefix}hypothesis"] = best.text
        row[f"{prefix}score"] = best.score
    return json.dumps({**row, "references": references}, ensure_ascii=False)


def _to_tsv(source, references, hypotheses):
    cells = [source]
    for best in hypotheses:
        cells += [best.text, f"{best.score:.4f}"]
    return "\t".join(_one_line(cell) for cell in [*cells, *references])


def _one_line(text):
    return re.sub(r"[\t\n\r]", " ", text)
