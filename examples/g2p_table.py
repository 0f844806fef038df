"""Grapheme to phoneme: Transformers, single models and a hybrid in one table.

    python examples/g2p_table.py --minutes 20
    python examples/g2p_table.py --minutes 5 transformer_2017_small hybrid

Each model learns the CMU Pronouncing Dictionary for the same number of
minutes, then pronounces words it has not seen. The table has the error rates,
the number of weights, the time of the training and the words per second of a
beam search with five beams; the plot has error over speed. Compare rows of one
run only, on a machine that does nothing else.
"""

import argparse
import time

import keras

import keras_seq2seq as k2s

COLUMNS = "model", "WER", "PER", "weights", "epochs", "minutes", "words/s"
WARM_UP = 0.1  # share of the time with a tenth of the learning rate


def single_recurrent():
    """One LSTM for source, start token and target, in two layers."""
    cells = [keras.layers.LSTMCell(256, name=f"lstm_{i}") for i in range(2)]
    return {
        "encoder": k2s.layers.IdentityEncoder(),
        "decoder": k2s.layers.RecurrentPrefixDecoder(
            keras.layers.StackedRNNCells(cells), dropout=0.1
        ),
        "embedding_dim": 64,
    }


def hybrid():
    """Transformer encoder, Bahdanau's decoder."""
    block = k2s.layers.TransformerBlock(
        4, 512, normalize_first=True, dropout=0.1
    )
    cell = k2s.layers.BahdanauCell(keras.layers.GRUCell(128))
    return {
        "encoder": k2s.layers.TransformerEncoder(
            block, 3, scale_inputs=True, dropout=0.1
        ),
        "decoder": k2s.layers.RecurrentDecoder(
            cell, bridge="mean", dropout=0.1
        ),
        "readout": k2s.layers.DeepReadout(64, dropout=0.1),
        "embedding_dim": 128,
    }


# Model -> the arguments of `Seq2Seq`, and the learning rate that suits it.
PRESETS = k2s.models.PRESETS
MODELS = {
    "transformer_2017_small": (PRESETS["transformer_2017_small"], 1e-3),
    "liu_2018_small": (PRESETS["liu_2018_small"], 1e-3),
    "single_recurrent": (single_recurrent, 3e-3),
    "hybrid": (hybrid, 1e-3),
    "bahdanau_2015_small": (PRESETS["bahdanau_2015_small"], 3e-3),
    "luong_2015_small": (PRESETS["luong_2015_small"], 3e-3),
}


class Until(keras.callbacks.Callback):
    """Callback that ends training at a time, or after a number of batches."""

    def __init__(self, deadline, steps=None):
        super().__init__()
        self.deadline = deadline
        self.steps = steps
        self.times = []

    def on_train_batch_end(self, batch, logs=None):
        self.times.append(time.monotonic())
        late = self.times[-1] >= self.deadline and len(self.times) > 1
        self.model.stop_training = late or len(self.times) == self.steps

    @property
    def speed(self):
        """Batches a second in the second half, the first one compiled."""
        half = self.times[len(self.times) // 2 - 1 :]
        return (len(half) - 1) / max(half[-1] - half[0], 1e-9)


def build(name, corpus):
    """A task of a model, with the tokenizers of the corpus."""
    sources, targets = zip(*corpus.pairs())
    source = k2s.text.CharacterTokenizer.from_texts(sources)
    target = k2s.text.SymbolTokenizer.from_texts(targets)
    model = k2s.models.Seq2Seq(
        source_vocabulary_size=len(source.vocabulary),
        target_vocabulary_size=len(target.vocabulary),
        **MODELS[name][0](),
    )
    search = k2s.search.BeamSearch(num_beams=5, max_length=32)
    return k2s.tasks.TextToText(model, source, target, search)


def learn(task, corpus, rate, minutes, *, batch_size):
    """Train for some minutes; gives the epochs and the seconds it took.

    First a while at a tenth of the rate, which also tells the speed; then as
    many batches as the time allows, the rate falling to zero.
    """
    begun = time.monotonic()
    settings = {"batch_size": batch_size, "num_buckets": 3, "verbose": 2}
    warm_up = Until(begun + WARM_UP * 60 * minutes)
    task.compile(keras.optimizers.Adam(rate / 10, clipnorm=1.0))
    task.fit(corpus, callbacks=[warm_up], epochs=10**6, **settings)
    end = begun + 60 * minutes
    left = max(0, end - time.monotonic())
    steps = max(1, int(left * warm_up.speed))
    schedule = keras.optimizers.schedules.CosineDecay(rate, steps)
    task.compile(keras.optimizers.Adam(schedule, clipnorm=1.0))
    main_part = Until(end, steps)
    task.fit(corpus, callbacks=[main_part], epochs=10**6, **settings)
    batches = len(warm_up.times) + len(main_part.times)
    pairs = sum(map(len, corpus.references))
    return batches * batch_size / pairs, time.monotonic() - begun


def words_per_second(task, words):
    task.generate(words)  # compiles
    begun = time.monotonic()
    task.generate(words)
    return len(words) / (time.monotonic() - begun)


def main(
    models=tuple(MODELS),
    *,
    minutes=20,
    words=None,
    tested=2000,
    batch_size=128,
    seed=1,
    picture="g2p_table.png",
):
    corpus = k2s.data.cmudict()
    train, test = corpus.train[:words], corpus.test[:tested]
    rows = []
    for name in models:
        print(f"\n{name}", flush=True)
        keras.utils.set_random_seed(seed)
        task = build(name, train)
        epochs, seconds = learn(
            task, train, MODELS[name][1], minutes, batch_size=batch_size
        )
        speed = words_per_second(task, test.sources)
        rates = task.evaluate(test, metrics=["wer", "per"])
        weights = task.model.count_params()
        row = rates["wer"], rates["per"], weights, epochs, seconds / 60, speed
        rows.append((name, *row))
        print(_line(rows[-1]), flush=True)
    report(rows)
    draw(rows, picture)
    return rows


def report(rows):
    print(f"\n| {' | '.join(COLUMNS)} |")
    print(f"| --- |{' ---: |' * (len(COLUMNS) - 1)}")
    for row in rows:
        print(_line(row))


def _line(row):
    name, wer, per, weights, epochs, minutes, speed = row
    return (
        f"| {name} | {wer:.1%} | {per:.1%} | {weights:,} | {epochs:.1f} "
        f"| {minutes:.1f} | {speed:.0f} |"
    )


def draw(rows, path):
    """Word error rate over speed; the larger the dot, the more weights."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    most = max(row[3] for row in rows)
    for i, (name, wer, _, weights, *_, speed) in enumerate(rows):
        size = 40 + 260 * weights / most
        axes.scatter(speed, 100 * wer, s=size, color=f"C{i}", label=name)
    axes.set(xlabel="words per second, five beams", ylabel="words wrong, %")
    axes.set_title("The larger the dot, the more weights", size=10)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="0.92")
    axes.set_axisbelow(True)
    axes.margins(0.15)
    legend = axes.legend(
        frameon=False, loc="center left", bbox_to_anchor=(1, 0.5)
    )
    for handle in legend.legend_handles:
        handle.set_sizes([60])
    figure.savefig(path, dpi=150)
    print(f"\nError over speed is drawn in {path}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", default=list(MODELS))
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--words", type=int, help="no more words than that")
    parser.add_argument("--tested", type=int, default=2000)
    parser.add_argument("--picture", default="g2p_table.png")
    main(**vars(parser.parse_args()))
