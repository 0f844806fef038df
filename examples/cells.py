"""Ten recurrent cells on four tasks, after Jozefowicz et al. (2015).

    python examples/cells.py                        # all of it, three seeds
    python examples/cells.py --tasks arithmetic --seeds 1 --cells GRU MUT2

`arithmetic` has sources such as "3e36d9-h1h39f94eeh43keg3c=", a sum with
letters in between that mean nothing, and their values as targets, "-13991064";
here the numbers are shorter. One cell reads the sum, one of the same kind
writes the value, and all that passes between them is the state.

The others ask for the next character: `xml` of nested tags with random names,
`code` of the modules of Python's standard library, `letters` of words of the
pronouncing dictionary. One cell reads what came before.

"LSTM-f", "-i" and "-o" lack the forget, input and output gate, "LSTM-b" begins
with a forget bias of 1. Each run adds a line to the file `--results`; a run
that is there already is not done again, so what was interrupted goes on.
"""

import argparse
import functools
import itertools
import json
import os
import string
import time

import keras
import numpy as np
from cells_data import TASKS

import keras_seq2seq as k2s

LSTM = functools.partial(keras.layers.LSTMCell, unit_forget_bias=False)
REDUCED = functools.partial(k2s.layers.ReducedLSTMCell, unit_forget_bias=False)
CELLS = {
    "Tanh": keras.layers.SimpleRNNCell,
    "LSTM": LSTM,
    "LSTM-f": functools.partial(REDUCED, without="forget"),
    "LSTM-i": functools.partial(REDUCED, without="input"),
    "LSTM-o": functools.partial(REDUCED, without="output"),
    "LSTM-b": keras.layers.LSTMCell,
    "GRU": keras.layers.GRUCell,
    "MUT1": k2s.layers.MUT1Cell,
    "MUT2": k2s.layers.MUT2Cell,
    "MUT3": k2s.layers.MUT3Cell,
}


SETTINGS = {
    "examples": 6000,  # texts to learn from, of sums five times as many
    "tested": 1000,
    "length": 100,  # characters of a text
    "epochs": 8,
    "batch_size": 64,
    "units": 96,
    "embedding_dim": 32,
}


def learn_sums(cell, train, test, *, units, embedding_dim, options, **fit):
    source, target = (
        k2s.text.CharacterTokenizer.from_texts([alphabet])
        for alphabet in (
            string.digits + "+-=" + string.ascii_lowercase,
            string.digits + "-",
        )
    )
    model = k2s.models.Seq2Seq(
        k2s.layers.RecurrentEncoder(cell(units)),
        k2s.layers.RecurrentDecoder(
            k2s.layers.SutskeverCell(cell(units)), bridge="copy"
        ),
        source_vocabulary_size=len(source.vocabulary),
        target_vocabulary_size=len(target.vocabulary),
        embedding_dim=embedding_dim,
    )
    task = k2s.tasks.TextToText(model, source, target, search="greedy")
    task.compile(**options)
    history = task.fit(train, validation_data=test, num_buckets=1, **fit)
    answers = task.generate([source for source, _ in test])
    right = sum(a == target for a, (_, target) in zip(answers, test))
    print(f"{right / len(test):.1%} of the sums are right as a whole")
    return model, history


def learn_texts(cell, train, test, *, units, embedding_dim, options, **fit):
    """Plain Keras: all texts are as long, and none has an end to learn."""
    tokenizer = k2s.text.CharacterTokenizer.from_texts(train)

    def arrays(texts):
        ids = np.array([tokenizer.encode(text) for text in texts])
        first = np.full((len(ids), 1), tokenizer.vocabulary.start_token_id)
        inputs = {
            "encoder_token_ids": np.zeros_like(first),  # nothing comes before
            "decoder_token_ids": np.hstack([first, ids[:, :-1]]),
        }
        return inputs, ids

    model = k2s.models.LanguageModel(
        k2s.layers.RecurrentPrefixDecoder(cell(units)),
        vocabulary_size=len(tokenizer.vocabulary),
        embedding_dim=embedding_dim,
        start_token_id=tokenizer.vocabulary.start_token_id,
    )
    model.compile(
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[keras.metrics.SparseCategoricalAccuracy(name="accuracy")],
        **options,
    )
    history = model.fit(*arrays(train), validation_data=arrays(test), **fit)
    return model, history


def run(task, name, seed, train, test, *, epochs, batch_size, **sizes):
    """What is seen of the test after each epoch, weights and seconds."""
    keras.utils.set_random_seed(seed)
    batches = epochs * -(-len(train) // batch_size)
    schedule = keras.optimizers.schedules.CosineDecay(4e-3, batches)
    begun = time.monotonic()
    model, history = (learn_sums if task == "arithmetic" else learn_texts)(
        CELLS[name],
        train,
        test,
        options={"optimizer": keras.optimizers.Adam(schedule, clipnorm=1.0)},
        epochs=epochs,
        batch_size=batch_size,
        verbose=2,
        **sizes,
    )
    return {
        "accuracy": history.history["val_accuracy"],
        "nll": history.history["val_loss"],
        "weights": model.count_params(),
        "seconds": time.monotonic() - begun,
    }


def read(path):
    """Dict of run -> its row, of those done before."""
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        rows = map(json.loads, file)
        return {json.dumps(row["run"]): row for row in rows}


def main(
    *,
    tasks=tuple(TASKS),
    cells=tuple(CELLS),
    seeds=3,
    results="cells.jsonl",
    out="cells.png",
    **settings,
):
    settings = {**SETTINGS, **settings}
    sizes = {**settings}
    amount = [sizes.pop(name) for name in ("examples", "tested", "length")]
    data = {task: TASKS[task](*amount) for task in tasks}
    done, rows = read(results), []
    for seed, task, name in itertools.product(
        range(1, seeds + 1), tasks, cells
    ):
        key = {"task": task, "cell": name, "seed": seed, **settings}
        row = done.get(json.dumps(key))
        if row is None:
            print(f"\n{task}, {name}, seed {seed}", flush=True)
            row = {"run": key, **run(task, name, seed, *data[task], **sizes)}
            with open(results, "a") as file:
                print(json.dumps(row), file=file)
        rows.append(row)
    report(rows, tasks, cells)
    draw(rows, tasks, cells, out)
    return rows


def of(rows, task, name, what):
    """What the seeds came to, an array `(seeds, epochs)`, or `(seeds, 1)`."""
    mine = [
        row[what]
        for row in rows
        if (row["run"]["task"], row["run"]["cell"]) == (task, name)
    ]
    return np.reshape(mine, (len(mine), -1))


def mean(values, digits):
    """Mean and standard deviation over the seeds, as a string."""
    text = f"{np.mean(values):.{digits}f}"
    if np.ptp(values) == 0:
        return text
    return f"{text} ± {np.std(values, ddof=1):.{digits}f}"


def report(rows, tasks, cells):
    for what, scale, digits in (
        ("accuracy", 100, 1),
        ("nll", 1, 3),
        ("weights", 1, 0),
    ):
        print(f"\n| {what} | {' | '.join(tasks)} |")
        print(f"| --- |{len(tasks) * ' ---: |'}")
        for name in cells:
            last = (of(rows, t, name, what)[:, -1] * scale for t in tasks)
            print(f"| {name} | {' | '.join(mean(x, digits) for x in last)} |")
    seconds = sum(row["seconds"] for row in rows)
    print(f"\n{len(rows)} runs, {seconds / 60:.0f} minutes")


def draw(rows, tasks, cells, path):
    """Above the accuracy by epoch, below the last loss of each seed."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.2 * len(tasks) + 1, 7), layout="constrained")
    panels = figure.subplots(2, len(tasks), squeeze=False)
    colors = {name: f"C{i}" for i, name in enumerate(CELLS)}
    for (above, below), task in zip(panels.T, tasks):
        for place, name in enumerate(cells):
            curve = 100 * np.mean(of(rows, task, name, "accuracy"), axis=0)
            epochs = range(1, len(curve) + 1)
            above.plot(epochs, curve, color=colors[name], label=name)
            last = of(rows, task, name, "nll")[:, -1]
            color = colors[name]
            below.plot(last, [place] * len(last), "o", color=color, alpha=0.5)
            below.plot([np.mean(last)], [place], "|", color=color, ms=18)
        above.set(title=task, xlabel="epoch")
        below.set(xlabel="loss, nats a character")
        below.set_yticks(range(len(cells)), cells)
        below.invert_yaxis()
        for axes in (above, below):
            axes.spines[["top", "right"]].set_visible(False)
            axes.grid(color="0.9")
    panels[0, 0].set_ylabel("characters right, %")
    panels[0, -1].legend(
        frameon=False, loc="center left", bbox_to_anchor=(1, 0.5)
    )
    figure.savefig(path, dpi=150)
    print(f"The picture is in {path}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", nargs="*", choices=TASKS, default=[*TASKS])
    parser.add_argument("--cells", nargs="*", choices=CELLS, default=[*CELLS])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--results", default="cells.jsonl")
    parser.add_argument("--out", default="cells.png")
    for name, value in SETTINGS.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    main(**vars(parser.parse_args()))
