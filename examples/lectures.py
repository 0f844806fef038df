"""Three pictures of the lectures on recurrent networks.

    python examples/lectures.py                     # all three
    python examples/lectures.py --pictures gradients sentences

1. `lectures_gradients.png`: how much the loss at the last step depends on what
   was read k steps before, for cells as they are initialized.
2. `lectures_state.png`: one number of an LSTM's state over a text that it has
   not seen, as in Karpathy et al. (2015, https://arxiv.org/abs/1506.02078). The
   text is source code of Keras. Of all numbers the one is drawn that correlates
   best with something that can be named, on other files than the one drawn.
3. `lectures_sentences.png`: final states of an encoder in the plane, by their
   two principal components, as in figure 2 of Sutskever et al. (2014,
   https://arxiv.org/abs/1409.3215), for sentences that it has not seen.
"""

import argparse
import io
import itertools
import pathlib
import tokenize

import keras
import numpy as np

import keras_seq2seq as k2s

CELLS = {
    "tanh, Glorot's initializer": ("simple_rnn", "glorot_uniform"),
    "tanh, orthogonal": ("simple_rnn", "orthogonal"),
    "GRU": ("gru", None),
    "LSTM, forget bias 1": ("lstm", 1),
    "LSTM, forget bias 5": ("lstm", 5),
}
NAMES = "John", "Mary", "Anna", "Paul", "Susan", "Peter"
VERBS = {"admires": "admired", "loves": "loved", "respects": "respected"}
VERBS |= {"helps": "helped", "knows": "known", "pays": "paid"}


class Nudge(keras.layers.Layer):
    """Adds a variable of zeros, of which a step of SGD makes the gradient."""

    def build(self, shape):
        self.nudge = self.add_weight(shape=shape, initializer="zeros")

    def call(self, inputs):
        return inputs + self.nudge


def cell_of(kind, setting, units):
    if kind == "simple_rnn":
        return keras.layers.SimpleRNNCell(units, recurrent_initializer=setting)
    if kind == "gru":
        return keras.layers.GRUCell(units)
    cell = keras.layers.LSTMCell(units, unit_forget_bias=False)
    cell.build((None, units))
    gates = np.repeat([0.0, setting, 0.0, 0.0], units)  # Keras's order
    cell.bias.assign(gates)
    return cell


def probe(cell):
    """A model from a sequence to logits after its last step."""
    layers = [Nudge(), keras.layers.RNN(cell), keras.layers.Dense(10)]
    for layer in layers[1:]:
        layer.trainable = False
    loss = keras.losses.SparseCategoricalCrossentropy(True, reduction="sum")
    model = keras.Sequential(layers)
    model.compile(keras.optimizers.SGD(1.0), loss)
    return model


def gradient_norms(model, inputs, targets):
    """Mean over a batch of `|dL / dx_{T-k}|`, for k from 0 on.

    Keras has no gradient that is the same on all backends, but its optimizers
    take one: a step of SGD from zeros with the learning rate 1.
    """
    model.train_on_batch(inputs, targets)
    gradients = keras.ops.convert_to_numpy(model.layers[0].nudge)
    return np.linalg.norm(gradients, axis=-1).mean(axis=0)[::-1]


def draw_gradients(path, *, units=64, length=101, batch_size=32, seed=1):
    """Norm at the first input over that at the last one, for each cell."""
    from matplotlib.figure import Figure

    keras.utils.set_random_seed(seed)
    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.add_subplot()
    inputs = np.random.normal(size=(batch_size, length, units))
    targets = np.random.randint(10, size=batch_size)
    found = {}
    for name, (kind, setting) in CELLS.items():
        model = probe(cell_of(kind, setting, units))
        norms = gradient_norms(model, inputs.astype("float32"), targets)
        axes.semilogy(norms / norms[0], label=name)
        found[name] = float(norms[-1] / norms[0])
    axes.set(
        xlabel="steps between the input and the loss",
        ylabel="gradient norm, over that of the last input",
        title="How much the loss at the last step depends on an input\n"
        f"({units} units, before training)",
    )
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="0.9")
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)
    return found


def source_files():
    """Texts of the modules of Keras, in ASCII."""
    folder = pathlib.Path(keras.__file__).parent / "src"
    texts = [path.read_text() for path in sorted(folder.rglob("*.py"))]
    return [text for text in texts if len(text) > 2000 and text.isascii()]


def properties(text):
    """What could be kept track of: name -> a number after each character."""
    lines = text.splitlines(keepends=True)
    starts = np.cumsum([0, *map(len, lines)])
    place = np.concatenate([np.arange(len(line)) + 1.0 for line in lines])
    string, depth = np.zeros((2, len(text)))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING:
            (first, column), (last, end) = token.start, token.end
            string[starts[first - 1] + column : starts[last - 1] + end - 1] = 1
        elif token.string in tuple("([{)]}"):
            begin = starts[token.start[0] - 1] + token.start[1]
            depth[begin:] += 1 if token.string in "([{" else -1
    left = [
        not line[: i + 1].strip(" ") for line in lines for i in range(len(line))
    ]
    return {
        "the place in the line": place,
        "being inside a string": string,
        "being inside brackets": np.minimum(depth, 1),
        "the indentation": np.array(left, float),
    }


def cut(files, length):
    """Pieces of one length, and their properties `(pieces, length)`."""
    texts, known = [], []
    for text in files:
        found = properties(text)
        for begin in range(0, len(text) - length, length):
            here = slice(begin, begin + length)
            texts.append(text[here])
            known.append({name: x[here] for name, x in found.items()})
    return texts, {
        name: np.stack([k[name] for k in known]) for name in known[0]
    }


def states_over(task, texts):
    """`tanh` of an LSTM's `c`, after each character of texts of one length."""
    ids = [task.tokenizer.encode(text) for text in texts]
    decoder_ids, targets, _ = k2s.data.teacher_forcing(ids)
    forced = k2s.models.ScoringModel(task.model, return_states=True)
    inputs = {
        "encoder_token_ids": np.zeros((len(ids), 1), "int32"),
        "decoder_token_ids": decoder_ids,
        "targets": targets,
    }
    found = forced.predict(inputs, verbose=0)
    _, carry = keras.tree.flatten(found["states"])  # h and c of one layer
    return np.tanh(carry[:, 1:])  # the first is that of the start token


def correlations(states, known):
    """Pearson's r over all characters, of shape `(units, properties)`."""
    x = states.reshape(-1, states.shape[-1])
    y = np.stack([*known.values()], axis=-1).reshape(len(x), -1)
    x, y = ((a - a.mean(0)) / (a.std(0) + 1e-9) for a in (x, y))
    return x.T @ y / len(x)


def language_model(
    files, *, length, units=128, embedding_dim=32, batch_size=64, steps=600
):
    """A model of characters that has read `steps` batches of the files."""
    task = k2s.tasks.TextCompletion.from_texts(
        files,
        "zaremba_2014",
        units=units,
        embedding_dim=embedding_dim,
        num_layers=1,
        dropout=0.0,
    )
    schedule = keras.optimizers.schedules.CosineDecay(1e-2, steps)
    task.compile(keras.optimizers.Adam(schedule, clipnorm=1.0))
    texts = [
        text[begin : begin + length]
        for text in files
        for begin in range(0, len(text) - length, length)
    ]
    order = np.random.permutation(len(texts))[: steps * batch_size]
    texts = [texts[i] for i in order]
    task.fit(texts, batch_size=batch_size, num_buckets=1, verbose=2)
    return task


def draw_state(path, *, held_out=8, count=None, seed=1, length=128, **settings):
    """What the state that is drawn correlates with, and how much."""
    keras.utils.set_random_seed(seed)
    files = source_files()
    np.random.shuffle(files)
    files = files[:count]
    task = language_model(files[2 * held_out :], length=length, **settings)
    texts, known = cut(files[:held_out], 4 * length)
    unit, best = strongest(correlations(states_over(task, texts), known))
    name = [*known][best]
    texts, known = cut(files[held_out : 2 * held_out], 4 * length)
    states = states_over(task, texts)
    r = correlations(states, known)[unit, best]
    shown = np.argmax(known[name].std(axis=1))  # where most of it happens
    title = (
        f"State {unit} of {states.shape[-1]} of an LSTM that reads source code "
        f"by characters: {name}\n(correlation {r:.2f}, on files that it was "
        "neither trained on nor chosen by)"
    )
    coloured_text(path, texts[shown], states[shown, :, unit], title)
    return name, float(r)


def strongest(r):
    """Unit and property of the largest correlation, up or down."""
    return np.unravel_index(np.argmax(np.abs(r)), r.shape)


def coloured_text(path, text, values, title):
    """Each character on the colour of a number between -1 and 1."""
    from matplotlib.figure import Figure

    lines = text.splitlines(keepends=True)
    grid = np.full((len(lines), max(map(len, lines))), np.nan)
    starts = np.cumsum([0, *map(len, lines)])
    figure = Figure(
        figsize=(0.1 * grid.shape[1] + 1.5, 0.22 * len(lines) + 1),
        layout="constrained",
    )
    axes = figure.add_subplot()
    for row, line in enumerate(lines):
        grid[row, : len(line)] = values[starts[row] : starts[row + 1]]
        for column, char in enumerate(line.rstrip("\n")):
            axes.text(
                column,
                row,
                char,
                color="white" if abs(grid[row, column]) > 0.6 else "black",
                family="DejaVu Sans Mono",
                size=9,
                ha="center",
                va="center_baseline",
            )
    image = axes.imshow(grid, cmap="coolwarm", vmin=-1, vmax=1, aspect="auto")
    axes.set_title(title, fontsize=10)
    axes.axis("off")
    bar = figure.colorbar(image, ax=axes, fraction=0.03, pad=0.01)
    bar.set_label("tanh(c) after the character")
    figure.savefig(path, dpi=150)


def sentences(triples):
    """Pairs of a sentence, active and passive, and who does what to whom."""
    return [
        (text, f"{who} {verb} {whom}")
        for who, verb, whom in triples
        for text in (
            f"{who} {verb} {whom}",
            f"{whom} is {VERBS[verb]} by {who}",
        )
    ]


def split_triples():
    """Those to learn from, and those of John and Mary, which are not."""
    parts = [], []
    for who, whom in itertools.permutations(NAMES, 2):
        for verb in VERBS:
            parts[{who, whom} == {"John", "Mary"}].append((who, verb, whom))
    return parts


def principal_components(vectors, count=2):
    """Projections `(rows, count)`, and the shares of variance they keep."""
    centred = vectors - vectors.mean(axis=0)
    u, s, _ = np.linalg.svd(centred, full_matrices=False)
    return (u * s)[:, :count], (s**2 / np.sum(s**2))[:count]


def draw_sentences(path, *, units=64, epochs=80, seed=1):
    """Shares of sentences whose nearest one has the same actor, and meaning."""
    keras.utils.set_random_seed(seed)
    train, drawn = map(sentences, split_triples())
    task = k2s.tasks.TextToText.from_corpus(
        k2s.data.ParallelCorpus.from_pairs(train, target_tokenizer="symbol"),
        "sutskever_2014",
        source_tokenizer="symbol",
        units=units,
        embedding_dim=units,
        num_layers=1,
    )
    task.compile(keras.optimizers.Adam(5e-3, clipnorm=1.0))
    task.fit(train, epochs=epochs, batch_size=32, num_buckets=1, verbose=0)
    vectors = task.encode([text for text, _ in drawn])
    distances = np.linalg.norm(vectors[:, None] - vectors, axis=-1)
    np.fill_diagonal(distances, np.inf)
    meanings = np.array([meaning.split() for _, meaning in drawn])
    same = meanings[distances.argmin(axis=1)] == meanings
    scatter(path, drawn, vectors)
    return float(same[:, 0].mean()), float(same.all(axis=1).mean())


def scatter(path, drawn, vectors):
    """Sentences in the plane: a colour for who, a shape for the voice."""
    from matplotlib.figure import Figure

    points, shares = principal_components(vectors)
    figure = Figure(figsize=(8, 6), layout="constrained")
    axes = figure.add_subplot()
    for (text, meaning), point in zip(drawn, points):
        if meaning.split()[1] not in list(VERBS)[:4]:
            continue  # there would be no room for all
        passive = " by " in text
        color = {"John": "C0", "Mary": "C3"}[meaning.split()[0]]
        axes.plot(*point, "s" if passive else "o", color=color)
        axes.annotate(
            text,
            point,
            xytext=(5, 3),
            textcoords="offset points",
            color=color,
            fontsize=8,
        )
    axes.set(
        title="Final states of an encoder, for sentences that it has not seen\n"
        "(blue: John acts, red: Mary acts; square: passive voice)",
        **{
            f"{axis}label": f"principal component {i} ({share:.0%} of variance)"
            for i, (axis, share) in enumerate(zip("xy", shares), 1)
        },
    )
    axes.margins(x=0.2)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)


PICTURES = {
    "gradients": draw_gradients,
    "state": draw_state,
    "sentences": draw_sentences,
}


def main(pictures=tuple(PICTURES), *, folder=".", settings=()):
    """Dict of what each picture shows, in numbers.

    Args:
        pictures: Their names.
        folder: Where they go.
        settings: Dict of a picture's name -> dict of arguments.
    """
    found = {}
    for name in pictures:
        path = pathlib.Path(folder, f"lectures_{name}.png")
        found[name] = PICTURES[name](path, **dict(settings).get(name, {}))
        print(f"{path}: {found[name]}", flush=True)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--pictures", nargs="*", choices=PICTURES, default=[*PICTURES]
    )
    parser.add_argument("--folder", default=".")
    main(**vars(parser.parse_args()))
