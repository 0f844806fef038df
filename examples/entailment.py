"""A label instead of a sequence: does a premise entail a hypothesis?

    python examples/entailment.py

One LSTM reads the premise; a second one, which begins with the states of the
first, reads the hypothesis and attends to the premise word by word; over its
last output a `Dense` layer gives one of three labels. That is the model of
Rocktaeschel et al., 2016, https://arxiv.org/abs/1509.06664, with attention as
Luong et al. have it. Encoder, cell and decoder are layers of this package, the
rest is plain Keras.

The sentences come from a grammar, at the end of this file. A premise tells what
a person and an animal do, and of some how or where. A hypothesis is about one
of the two: entailed if the premise says all of it, a contradiction if it says
something else, neutral if it leaves something out.
"""

import random

import keras
import numpy as np

import keras_seq2seq as k2s

LABELS = "entailment", "neutral", "contradiction"
LENGTHS = {"premise": 11, "hypothesis": 5}  # words at most


def build(cell, words, units):
    """Models from premise and hypothesis: to the label, and to the scores."""
    inputs = [keras.Input((n,), name=name) for name, n in LENGTHS.items()]
    embedding = keras.layers.Embedding(
        words, units, keras.initializers.RandomNormal(stddev=1), mask_zero=True
    )
    encoder = k2s.layers.RecurrentEncoder(keras.layers.LSTMCell(units))
    decoder = k2s.layers.RecurrentDecoder(cell, bridge="copy")
    premise, hypothesis = map(embedding, inputs)
    memory, states = encoder(premise)
    outputs, scores = decoder(
        hypothesis, memory, states, return_attention_scores=True
    )
    last = k2s.ops.last_real(outputs, embedding.compute_mask(inputs[1]))
    labels = keras.layers.Dense(len(LABELS), activation="softmax")(last)
    return keras.Model(inputs, labels), keras.Model(inputs, scores)


def main(
    *,
    examples=30_000,
    epochs=6,
    units=64,
    seed=1,
    picture="entailment.png",
):
    train, test = split(examples, seed)
    tokenizer = k2s.text.SymbolTokenizer.from_texts(
        [text for one in train for text in one[:2]]
    )
    counts = np.bincount([label for *_, label in test])
    right = {"the most frequent label": max(counts) / len(test)}
    for name, kind in {
        "without the premise": k2s.layers.SutskeverCell,
        "without attention": k2s.layers.SutskeverCell,
        "with attention": k2s.layers.LuongCell,
    }.items():
        keras.utils.set_random_seed(seed)
        cell = kind(keras.layers.LSTMCell(units))
        model, attention = build(cell, len(tokenizer.vocabulary), units)
        model.compile(
            keras.optimizers.Adam(2e-3),
            "sparse_categorical_crossentropy",
            metrics=["accuracy"],
        )
        blank = name == "without the premise"
        inputs, labels = arrays(tokenizer, train, blank)
        model.fit(inputs, labels, batch_size=64, epochs=epochs, verbose=2)
        loss, right[name] = model.evaluate(
            *arrays(tokenizer, test, blank), verbose=0
        )
    for name, share in right.items():
        print(f"| {name} | {share:.1%} |")
    draw(attention, tokenizer, test, picture)
    return right


def arrays(tokenizer, examples, blank=False):
    """Token ids of premises and hypotheses, and labels."""
    premises, hypotheses, labels = zip(*examples)
    if blank:
        premises = [""] * len(premises)
    ids = [[*map(tokenizer.encode, side)] for side in (premises, hypotheses)]
    padded = [
        k2s.data.pad_token_ids(side, length=length)
        for side, length in zip(ids, LENGTHS.values())
    ]
    return padded, np.array(labels)


def draw(attention, tokenizer, examples, path):
    """The scores of the longest example."""
    one = max(examples, key=lambda one: len(one[0]) + len(one[1]))
    scores = attention.predict_on_batch(arrays(tokenizer, [one])[0])[0]
    columns, rows = one[0].split(), one[1].split()
    scores = scores[: len(rows), : len(columns)]
    figure = k2s.plots.attention(columns, rows, scores, title=LABELS[one[2]])
    figure.axes[0].set(xlabel="premise", ylabel="hypothesis")
    figure.savefig(path)
    print(f"The attention scores are drawn in {path}")


NOUNS = {
    "person": ["man", "woman", "boy", "girl", "nurse", "farmer"],
    "animal": ["dog", "cat", "horse", "bird", "goat", "mouse"],
}
FACTS = {
    "verb": ["sleeps", "eats", "runs", "sings", "jumps", "waits"],
    "manner": ["quietly", "happily", "slowly", "alone"],
    "place": ["inside", "outside", "upstairs", "downstairs", "nearby"],
}


def facts(rng, kind):
    """What is said of somebody, without the manner or the place at times."""
    some = {name: rng.choice(values) for name, values in FACTS.items()}
    left_out = rng.choice(["manner", "place", None])
    return {**some, "noun": rng.choice(NOUNS[kind]), left_out: None}


def clause(article, said):
    words = [article, said["noun"], *(said[name] for name in FACTS)]
    return " ".join(filter(None, words))


def example(rng):
    """Premise, hypothesis and the index of the label.

    Hypotheses are drawn before labels: alone they tell nothing. Half of what
    is contradicted is true of the other one: nor do words in any order.
    """
    kind, other_kind = rng.sample(sorted(NOUNS), 2)
    claim, told, other = map(facts, [rng] * 3, [kind, kind, other_kind])
    told.update({name: fact for name, fact in claim.items() if fact})
    label = rng.randrange(len(LABELS))
    if LABELS[label] == "neutral":
        told[rng.choice([n for n in ("manner", "place") if claim[n]])] = None
    if LABELS[label] == "contradiction":
        name = rng.choice([n for n in FACTS if claim[n]])
        told[name] = rng.choice([f for f in FACTS[name] if f != claim[name]])
        if rng.random() < 0.5:
            other[name] = claim[name]
    both = [clause("a", told), clause("a", other)]
    rng.shuffle(both)
    if rng.random() < 0.5:
        claim["noun"] = kind  # "the animal" of a dog
    return " while ".join(both), clause("the", claim), label


def split(count, seed):
    """Examples to learn from, and a tenth with premises of its own."""
    rng = random.Random(seed)
    both = [example(rng) for _ in range(count)]
    test, train = both[: count // 10], both[count // 10 :]
    known = {premise for premise, *_ in train}
    return train, [one for one in test if one[0] not in known]


if __name__ == "__main__":
    main()
