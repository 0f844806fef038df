"""Ten recurrent cells on the arithmetic task of Jozefowicz et al. (2015).

    python examples/cells.py --epochs 10 --examples 30000 --units 96

The source is a sum or a difference with letters in between that mean nothing,
such as "3e36d9-h1h39f94eeh43keg3c=", the target its value, "-13991064"; here
the numbers are shorter. One cell reads it, one of the same kind writes the
value, and all that passes between them is the state. "LSTM-f", "-i" and "-o"
lack the forget, input and output gate, "LSTM-b" begins with a forget bias of 1.
"""

import argparse
import functools
import random
import string
import time

import keras

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
COLUMNS = "cell", "characters", "whole answers", "weights", "seconds"


def problems(count, digits, seed, *, known=()):
    """Pairs of source and target; no sum is among `known`."""
    rng, pairs, known = random.Random(seed), [], set(map(plain, known))
    while len(pairs) < count:
        a, b = (rng.randrange(10 ** rng.randint(1, digits)) for _ in range(2))
        sign = rng.choice("+-")
        question = f"{a}{sign}{b}"
        if question in known:
            continue
        noisy = "".join(
            char + "".join(rng.choices(string.ascii_lowercase, k=extra))
            for char in question
            for extra in [rng.randint(0, 1)]
        )
        pairs.append((f"{noisy}=", str(a + b if sign == "+" else a - b)))
    return pairs


def plain(pair):
    """The sum without letters."""
    return "".join(char for char in pair[0] if char in "0123456789+-")


def build(cell, units, embedding_dim):
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
    return k2s.tasks.TextToText(model, source, target, search="greedy")


def learn(cell, train, test, *, units, embedding_dim, epochs, batch_size):
    """Accuracy by character after each epoch, of whole answers, and size."""
    task = build(cell, units, embedding_dim)
    batches = epochs * -(-len(train) // batch_size)
    schedule = keras.optimizers.schedules.CosineDecay(4e-3, batches)
    task.compile(keras.optimizers.Adam(schedule, clipnorm=1.0))
    history = task.fit(
        train,
        validation_data=test,
        epochs=epochs,
        batch_size=batch_size,
        num_buckets=1,
        verbose=2,
    )
    answers = task.generate([source for source, _ in test])
    right = sum(a == target for a, (_, target) in zip(answers, test))
    curve = history.history["val_accuracy"]
    return curve, right / len(test), task.model.count_params()


def main(
    *,
    epochs=10,
    examples=30_000,
    tested=1000,
    units=96,
    out="cells.png",
    cells=tuple(CELLS),
    digits=3,
    embedding_dim=32,
    batch_size=128,
    seed=1,
):
    train = problems(examples, digits, seed)
    test = problems(tested, digits, seed + 1, known=train)
    print(f"{len(train):,} problems, such as {' -> '.join(train[0])}")
    rows, curves = [], {}
    for number, name in enumerate(cells, 1):
        print(f"\n{name}, {number} of {len(cells)}", flush=True)
        keras.utils.set_random_seed(seed)
        begun = time.monotonic()
        curves[name], right, weights = learn(
            CELLS[name],
            train,
            test,
            units=units,
            embedding_dim=embedding_dim,
            epochs=epochs,
            batch_size=batch_size,
        )
        seconds = time.monotonic() - begun
        rows.append((name, curves[name][-1], right, weights, seconds))
    report(rows)
    draw(curves, out)
    return rows


def report(rows):
    print(f"\n| {' | '.join(COLUMNS)} |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, characters, right, weights, seconds in rows:
        print(
            f"| {name} | {characters:.1%} | {right:.1%} | {weights:,} "
            f"| {seconds:.0f} |"
        )


def draw(curves, path):
    """Accuracy by epoch, a line a cell, the best at the top of the legend."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    styles = dict(zip(CELLS, "C0 C1 C1 C1 C1 C1 C2 C3 C4 C5".split()))
    dashes = dict(
        zip(CELLS, ["-", "-", ":", "--", "-.", (0, (5, 1)), *4 * "-"])
    )
    for name in sorted(curves, key=lambda name: -curves[name][-1]):
        epochs = range(1, len(curves[name]) + 1)
        axes.plot(
            epochs,
            [100 * accuracy for accuracy in curves[name]],
            color=styles[name],
            linestyle=dashes[name],
            label=f"{name}  {curves[name][-1]:.0%}",
        )
    axes.set(xlabel="epoch", ylabel="characters right, %")
    axes.set_title("Unseen sums, each character given those before it")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="0.9")
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(path, dpi=150)
    print(f"\nThe accuracy by epoch is drawn in {path}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--examples", type=int, default=30_000)
    parser.add_argument("--units", type=int, default=96)
    parser.add_argument("--out", default="cells.png")
    parser.add_argument("--cells", nargs="*", choices=CELLS, default=[*CELLS])
    main(**vars(parser.parse_args()))
