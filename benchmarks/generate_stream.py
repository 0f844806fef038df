"""What `generate_stream` costs beside the search alone, and its memory.

    python benchmarks/generate_stream.py --lines 8192

Pronounces words with the trained task of this repository, by `generate_stream`
and by Keras's `predict` of the same `InferenceModel` on the same ids, padded to
one length beforehand, in turns. Reports lines a second of both, their ratio,
and the memory of the process (RssAnon of Linux) along the stream.
"""

import argparse
import itertools
import pathlib
import re
import statistics
import time

import keras

import keras_seq2seq as k2s

TASK = pathlib.Path(__file__).parents[1] / "saved_models" / "g2p-task"
BATCH = 64
LENGTH = 24  # of the longest words


def memory():
    status = pathlib.Path("/proc/self/status").read_text()
    return int(re.search(r"RssAnon:\s+(\d+)", status)[1]) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=8192)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    task = k2s.tasks.load(TASK)
    known = [w for w in k2s.data.cmudict().test.sources if len(w) <= LENGTH]
    words = [*itertools.islice(itertools.cycle(known), options.lines)]
    ids = k2s.data.pad_token_ids(
        [task.source_tokenizer.encode(word) for word in words], length=LENGTH
    )
    model = k2s.models.InferenceModel(
        task.model, task.search, return_log_probs=True
    )
    seen = []

    def stream():
        for number, _ in enumerate(task.generate_stream(words, verbose=False)):
            if number % 4096 == 4095:
                seen.append(memory())

    def predict():
        model.predict(ids, batch_size=BATCH, verbose=0)

    seconds = {stream: [], predict: []}
    for run in seconds:
        run()  # compiles
    for _ in range(options.rounds):
        for run, found in seconds.items():
            begun = time.perf_counter()
            run()
            found.append(time.perf_counter() - begun)
    speeds = [len(words) / statistics.median(x) for x in seconds.values()]
    print(
        f"{keras.backend.backend()}: {speeds[0]:,.0f} lines a second by "
        f"generate_stream, {speeds[1]:,.0f} by predict, ratio "
        f"{speeds[0] / speeds[1]:.2f}; {seen[0]:.0f} MB after the first "
        f"window, at most {max(seen):.0f} MB"
    )


if __name__ == "__main__":
    main()
