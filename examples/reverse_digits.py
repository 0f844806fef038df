"""Presets of the zoo on digit strings: reverse them, copy them, expand them.

    python examples/reverse_digits.py                     # all small presets
    python examples/reverse_digits.py bahdanau_2015_small single_recurrent

Attention that may go anywhere learns to reverse; monotonic attention cannot,
so its presets copy and expand ("12" becomes "1122"). A model without attention
has to carry the whole string in one state: what it reaches is reported. The
single models, `liu_2018_small` and `single_recurrent`, read source and target
as one sequence.
"""

import argparse
import time

import keras
import numpy as np

import keras_seq2seq as k2s

TASKS = {
    "reverse": lambda text: text[::-1],
    "copy": lambda text: text,
    "expand": lambda text: "".join(2 * digit for digit in text),
}
MONOTONIC = ("raffel_2017_small",)
PRESETS = [name for name in k2s.models.PRESETS if name.endswith("_small")]
PRESETS = [*PRESETS, "single_recurrent"]
# More epochs or fewer.
EPOCHS = {"liu_2018_small": 2, "single_recurrent": 2.5}


def strings(count, seed, *, known=()):
    """Random strings of 3 to 12 digits, none of them twice or `known`."""
    rng, found, known = np.random.default_rng(seed), {}, set(known)
    while len(found) < count:
        text = "".join(map(str, rng.integers(0, 10, rng.integers(3, 13))))
        if text not in known:
            found[text] = None
    return list(found)


def learn(preset, name, *, count, tested, epochs, seed=0, **settings):
    """A trained task and the share of unseen strings it gets right."""
    keras.utils.set_random_seed(seed)
    train = strings(count, seed)
    test = strings(tested, seed + 1, known=train)
    pairs = [(text, TASKS[name](text)) for text in train]
    task = build(preset, pairs, **settings)
    epochs = round(EPOCHS.get(preset, 1) * epochs)
    batches = epochs * -(-count // 128)
    warm_up = batches // 10
    schedule = keras.optimizers.schedules.CosineDecay(
        0.0,
        batches - warm_up,
        warmup_target=k2s.models.presets.learning_rate_of(preset, 4e-3),
        warmup_steps=warm_up,
    )
    task.compile(keras.optimizers.Adam(schedule, clipnorm=1.0))
    task.fit(pairs, epochs=epochs, batch_size=128, num_buckets=3, verbose=2)
    answers = task.generate(test)
    right = [a == TASKS[name](text) for a, text in zip(answers, test)]
    return task, float(np.mean(right)), test


def build(preset, pairs, **settings):
    """A fresh task of a preset, or of one LSTM for source and target."""
    search = k2s.search.BeamSearch(num_beams=3, min_length=4, max_length=26)
    if preset != "single_recurrent":
        return k2s.tasks.TextToText.from_corpus(
            pairs, preset, search=search, **settings
        )
    digits = k2s.text.CharacterTokenizer.from_texts(["0123456789"])
    cell = keras.layers.LSTMCell(settings.get("units", 256))
    model = k2s.models.Seq2Seq(
        k2s.layers.IdentityEncoder(),
        k2s.layers.RecurrentPrefixDecoder(cell),
        source_vocabulary_size=len(digits.vocabulary),
        target_vocabulary_size=len(digits.vocabulary),
        embedding_dim=settings.get("embedding_dim", 32),
    )
    return k2s.tasks.TextToText(model, digits, digits, search)


def share_of_diagonal(scores):
    """Share of attention scores within one place of the other diagonal."""
    rows, columns = np.indices(scores.shape)
    close = np.abs(rows + columns - (len(scores) - 1)) <= 1
    return np.sum(scores * close) / np.sum(scores)


def on_the_other_diagonal(task, texts):
    """That share for the answers to some texts, on average."""
    found = task.generate(texts, return_attention_scores=True)
    return float(
        np.mean(
            [
                share_of_diagonal(best.attention_scores[: len(text)])
                for text, (best,) in zip(texts, found)
                if best.tokens
            ]
        )
    )


def main(
    presets=PRESETS,
    *,
    count=40_000,
    tested=1000,
    epochs=8,
    picture=None,
    **settings,
):
    rows = []
    for preset in presets:
        names = ["copy", "expand"] if preset in MONOTONIC else ["reverse"]
        for name in names:
            begun = time.monotonic()
            task, right, test = learn(
                preset,
                name,
                count=count,
                tested=tested,
                epochs=epochs,
                **settings,
            )
            weights = task.model.count_params()
            seconds = time.monotonic() - begun
            rows.append((preset, name, right, weights, seconds))
            print(f"{preset}, {name}: {right:.1%} of unseen strings")
            if preset == "bahdanau_2015_small":
                share = on_the_other_diagonal(task, test[:200])
                print(
                    f"  {share:.2f} of its attention is on the other diagonal"
                )
                if picture:
                    draw(task, test[0], picture)
    print("\n| preset | task | right | weights | seconds |")
    print("| --- | --- | --- | --- | --- |")
    for preset, name, right, weights, seconds in rows:
        print(
            f"| `{preset}` | {name} | {right:.1%} | {weights:,} "
            f"| {seconds:.0f} |"
        )
    return rows


def draw(task, text, picture):
    best = task.generate([text], return_attention_scores=True)[0][0]
    k2s.plots.attention(
        list(text), best.tokens, best.attention_scores, path=picture
    )
    print(f"  drawn in {picture}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("presets", nargs="*", default=PRESETS)
    parser.add_argument("--count", type=int, default=40_000)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--picture", default="reverse_digits.png")
    main(**vars(parser.parse_args()))
