"""Reverse a sequence: layers, model and search without tasks or strings."""

import keras
import numpy as np

import keras_seq2seq as k2s

SYMBOLS = "abcdefghij"
FIRST = 4  # ids below are special: pad, start, end, unknown


def sequences(count, longest, seed):
    """Random id sequences and the same backwards."""
    rng = np.random.default_rng(seed)
    sources = [
        rng.integers(FIRST, FIRST + len(SYMBOLS), rng.integers(1, longest + 1))
        for _ in range(count)
    ]
    sources = [source.tolist() for source in sources]
    return sources, [source[::-1] for source in sources]


def build(units, embedding_dim):
    cell = keras.layers.GRUCell(units)
    encoder = k2s.layers.RecurrentEncoder(cell, bidirectional=True)
    cell = k2s.layers.BahdanauCell(keras.layers.GRUCell(units), "additive")
    return k2s.models.Seq2Seq(
        encoder,
        k2s.layers.RecurrentDecoder(cell, bridge="dense"),
        source_vocabulary_size=FIRST + len(SYMBOLS),
        target_vocabulary_size=FIRST + len(SYMBOLS),
        embedding_dim=embedding_dim,
    )


def main(
    *,
    count=20_000,
    longest=10,
    units=64,
    embedding_dim=32,
    batch_size=128,
    epochs=5,
    seed=1,
    picture="reverse.png",
):
    keras.utils.set_random_seed(seed)
    model = build(units, embedding_dim)
    model.compile(
        keras.optimizers.Adam(0.004),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        weighted_metrics=["accuracy"],
    )
    sources, targets = sequences(count, longest, seed)
    dataset = k2s.data.BucketedDataset(
        sources, targets, batch_size=batch_size, num_buckets=3
    )
    batches = k2s.data.for_fit(dataset)
    model.fit(batches, epochs=epochs, shuffle=False)

    search = k2s.search.BeamSearch(
        num_beams=4, min_length=2, max_length=longest + 2
    )
    inference = k2s.models.InferenceModel(
        model, search, return_attention_scores=True
    )
    sources, targets = sequences(500, longest, seed + 1)
    found = inference.predict(k2s.data.pad_token_ids(sources), verbose=0)
    answers = [row[0, : n[0] - 1].tolist() for row, n in zip(*_ids(found))]
    right = np.mean([a == t for a, t in zip(answers, targets)])
    print(f"{right:.1%} of 500 unseen sequences are reversed without fault")

    longest_row = int(np.argmax([len(source) for source in sources]))
    source, answer = sources[longest_row], answers[longest_row]
    scores = found["attention_scores"][longest_row, 0]
    k2s.plots.attention(
        [SYMBOLS[i - FIRST] for i in source],
        [SYMBOLS[i - FIRST] for i in answer],
        scores[: len(answer), : len(source)],
        path=picture,
    )
    print(f"The attention scores are drawn in {picture}")
    return right


def _ids(found):
    return found["token_ids"], found["lengths"]


if __name__ == "__main__":
    main()
