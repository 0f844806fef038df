"""Pronounce English words: a task from training to a saved folder."""

import keras

import keras_seq2seq as k2s


def main(
    *,
    preset="bahdanau_2015",
    words=20_000,
    judged=1000,
    units=96,
    embedding_dim=48,
    epochs=4,
    seed=1,
    folder="runs/pronounce",
):
    keras.utils.set_random_seed(seed)
    corpus = k2s.data.cmudict()
    train = corpus.train[:: max(1, len(corpus.train) // words)]
    task = k2s.tasks.TextToText.from_corpus(
        train, preset=preset, units=units, embedding_dim=embedding_dim
    )
    task.compile(
        keras.optimizers.Adam(0.004, clipnorm=1.0),
        search=k2s.search.BeamSearch(num_beams=5),
    )
    task.fit(train, validation_data=corpus.validation[:judged], epochs=epochs)

    print(task.evaluate(corpus.test[:judged]))
    for word in ("attention", "sequence", "python"):
        for hypothesis in task.generate([word], n_best=3)[0]:
            print(f"{word:12}{hypothesis.score:8.2f}  {hypothesis.text}")
    print(task.score([("keras", "K EH R AH S"), ("keras", "K IY R AH S")]))

    task.save(folder)
    again = k2s.tasks.load(folder)
    return again.generate(["attention"])


if __name__ == "__main__":
    main()
