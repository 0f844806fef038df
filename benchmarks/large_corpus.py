"""Memory and time of training on a corpus that is larger than memory.

    python benchmarks/large_corpus.py TRAIN.en TRAIN.it --pairs 1000000

Makes a corpus of so many pairs from the given ones, by repetition with a number
in each text, and starts a training on it, twice: each in a process of its own
that ends after some steps. Reports seconds from the start of the process to the
first step, and the memory that belongs to the process (RssAnon of Linux, its
peak), of which mapped pages of files are no part.
"""

import argparse
import itertools
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

STEPS = 20
TOKENS = 4096  # of a batch


def make(folder, sources, targets, count):
    """Write `count` pairs; return the paths of both files."""
    paths = folder / f"{count}.source", folder / f"{count}.target"
    for path, given in zip(paths, (sources, targets)):
        if path.exists():
            continue
        lines = given.read_text("utf-8").splitlines()
        numbered = zip(range(count), itertools.cycle(lines))
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"{line} {n}\n" for n, line in numbered)
    return paths


def learn(folder, sources, targets):
    """Train the tokenizer of both sides; return the path of its model."""
    from keras_seq2seq.text import SubwordTokenizer

    path = folder / "subwords.model"
    if not path.exists():
        texts = [
            text
            for given in (sources, targets)
            for text in given.read_text("utf-8").splitlines()
        ]
        path.write_bytes(SubwordTokenizer.from_texts(texts).model)
    return path


def train(paths, model, cache):
    """Train for some steps, and report time and memory."""
    begun = _process_start()
    memory = _Memory()
    import keras

    import keras_seq2seq as k2s

    class Watch(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            if batch == 0:
                print(f"first step after {time.time() - begun:.1f} s")
            self.model.stop_training = batch + 1 >= STEPS

    tokenizer = k2s.text.SubwordTokenizer(model)
    corpus = k2s.data.StreamedCorpus.from_files(*paths)
    corpus = corpus.filtered(
        max_length=64,
        max_ratio=3,
        source_tokenizer=tokenizer,
        target_tokenizer=tokenizer,
    )
    size = len(tokenizer.vocabulary)
    network = k2s.models.Seq2Seq.from_preset(
        "luong_2015_small",
        source_vocabulary_size=size,
        target_vocabulary_size=size,
        units=32,
        embedding_dim=32,
        num_layers=1,
    )
    task = k2s.tasks.TextToText(network, tokenizer, tokenizer)
    task.compile()
    before = memory.peak()
    encoded = task.encode_corpus(corpus, cache_folder=cache)
    print(f"{encoded}, encoded after {time.time() - begun:.1f} s")
    task.fit(encoded, tokens_per_batch=TOKENS, verbose=0, callbacks=[Watch()])
    print(
        f"{keras.backend.backend()}: {before:,.0f} MB before there were data, "
        f"peak {memory.peak():,.0f} MB"
    )


class _Memory:
    """Watches the anonymous memory of this process."""

    def __init__(self):
        self._most = 0
        threading.Thread(target=self._watch, daemon=True).start()

    def peak(self):
        self._look()
        return self._most

    def _watch(self):
        while True:
            self._look()
            time.sleep(0.02)

    def _look(self):
        status = pathlib.Path("/proc/self/status").read_text()
        now = int(re.search(r"RssAnon:\s+(\d+)", status)[1]) / 1024
        self._most = max(self._most, now)


def _process_start():
    """Time at which this process began, in seconds since the epoch."""
    ticks = pathlib.Path("/proc/self/stat").read_text().split()[21]
    booted = re.search(r"btime (\d+)", pathlib.Path("/proc/stat").read_text())
    return int(booted[1]) + int(ticks) / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("target", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument(
        "--folder", type=pathlib.Path, default=pathlib.Path("runs/large")
    )
    parser.add_argument("--child", action="store_true", help="for this script")
    options = parser.parse_args()
    folder = options.folder
    if options.child:
        paths = options.source, options.target
        train(paths, folder / "subwords.model", folder / "cache")
        return
    folder.mkdir(parents=True, exist_ok=True)
    learn(folder, options.source, options.target)
    paths = make(folder, options.source, options.target, options.pairs)
    for run in ("first", "second"):
        print(f"{options.pairs:,} pairs, {run} time", flush=True)
        command = [sys.executable, __file__, *map(str, paths), "--child"]
        subprocess.run([*command, "--folder", str(folder)], check=True)


if __name__ == "__main__":
    main()
