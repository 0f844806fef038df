"""Transfer: learn how words are spelled, then pronounce from few examples.

    python examples/transfer.py
    python examples/transfer.py --pairs 100 --seeds 1 2 3 4 5

One LSTM reads source, separator and target. First it learns from spellings
alone, which cost nothing, in one of the two ways of Dai and Le, 2015,
https://arxiv.org/abs/1511.01432: as a language model, or by writing each word
down again after the separator. Then `encoder_from` copies it into a task that
learns to pronounce from few pairs. Beside them a task learns from the same
pairs, for as many steps, from scratch. What to see: how many phones are wrong
in words that none of them has seen.
"""

import argparse

import keras
import numpy as np

import keras_seq2seq as k2s

PRESET = "zaremba_sutskever_2014_small"
SIZES = {"units": 128, "num_layers": 1}  # for a few minutes


def fit(task, data, *, steps, batch_size):
    """Train for `steps` batches, up to the end of an epoch."""
    batches = task.batches(data, batch_size=batch_size, num_buckets=3)
    epochs = -(-steps // len(batches))
    rate = keras.optimizers.schedules.CosineDecay(4e-3, epochs * len(batches))
    task.compile(keras.optimizers.Adam(rate, clipnorm=1.0))
    task.fit(batches, epochs=epochs, verbose=0)


def language_model(texts, settings):
    """A task of texts with the network of the preset, which is for pairs."""
    tokenizer = k2s.text.CharacterTokenizer.from_texts(texts)
    parts = k2s.models.PRESETS[PRESET](**settings)
    model = k2s.models.LanguageModel(
        parts["decoder"],
        vocabulary_size=len(tokenizer.vocabulary),
        embedding_dim=parts["embedding_dim"],
        start_token_id=tokenizer.vocabulary.start_token_id,
    )
    return k2s.tasks.TextCompletion(model, tokenizer)


def starts(texts, settings, **fitting):
    """Dict of name -> what `from_corpus` starts from."""
    model = language_model(texts, settings)
    fit(model, texts, **fitting)
    copies = [(text, text) for text in texts]
    copier = k2s.tasks.TextToText.from_corpus(copies, PRESET, **settings)
    fit(copier, copies, **fitting)
    return {
        "from scratch": {"source_tokenizer": copier.source_tokenizer},
        "after a language model": {"encoder_from": model},
        "after copying": {"encoder_from": copier},
    }


def error_rate(pairs, test, start, settings, **fitting):
    """Phones wrong of a task that learned from pairs."""
    task = k2s.tasks.TextToText.from_corpus(
        pairs,
        PRESET,
        target_tokenizer="symbol",
        search=k2s.search.GreedySearch(max_length=32),
        **start,
        **settings,
    )
    fit(task, pairs, **fitting)
    return task.evaluate(test, metrics=["per"], verbose=0)["per"]


def main(
    *,
    pairs=(300, 1000),
    seeds=(1, 2, 3),
    first_steps=800,
    steps=800,
    texts=None,
    tested=500,
    **settings,
):
    settings = {**SIZES, **settings}
    corpus = k2s.data.cmudict()
    known = list(corpus.train.pairs())
    test = corpus.test[:: max(1, len(corpus.test) // tested)][:tested]
    keras.utils.set_random_seed(seeds[0])
    spellings = corpus.train.sources[:texts]
    ways = starts(spellings, settings, steps=first_steps, batch_size=128)
    line("pairs", "seed", *ways)
    line("---:", *["---:"] * (1 + len(ways)))
    means = {}
    for count in pairs:
        rows = []
        for seed in seeds:
            drawn = np.random.default_rng(seed).permutation(len(known))[:count]
            few = [known[i] for i in drawn]
            rows.append([])
            for start in ways.values():
                keras.utils.set_random_seed(seed)
                rate = error_rate(
                    few, test, start, settings, steps=steps, batch_size=32
                )
                rows[-1].append(rate)
            line(f"{count:,}", seed, *map("{:.1%}".format, rows[-1]))
        mean = np.mean(rows, axis=0)
        line(f"{count:,}", "mean", *map("{:.1%}".format, mean))
        means[count] = dict(zip(ways, mean.tolist()))
    return means


def line(*cells):
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, nargs="+", default=[300, 1000])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--first-steps", type=int, default=800)
    parser.add_argument("--steps", type=int, default=800)
    main(**vars(parser.parse_args()))
