"""From letters to phones: train, evaluate, plot, export and serve.

    keras-seq2seq demo --minutes 3

Trains on the CMU Pronouncing Dictionary, which is part of the package, reports
the error rates on all test words, shows some answers and an attention plot,
exports the model, and runs it in a process that has only TensorFlow.
"""

import pathlib
import random
import subprocess
import sys
import time

import keras
import numpy as np

from keras_seq2seq.cli import pronounce
from keras_seq2seq.cli import training
from keras_seq2seq.cli.backend import is_installed
from keras_seq2seq.cli.options import add_learning_rate
from keras_seq2seq.cli.options import add_preset
from keras_seq2seq.cli.options import at_least_one
from keras_seq2seq.cli.options import learning_rate
from keras_seq2seq.cli.options import positive
from keras_seq2seq.cli.options import seed
from keras_seq2seq.cli.options import utf8_text
from keras_seq2seq.cli.plot import draw
from keras_seq2seq.cli.stage import stage
from keras_seq2seq.data import CorpusSplits
from keras_seq2seq.data import ParallelCorpus
from keras_seq2seq.data import cmudict
from keras_seq2seq.search import BeamSearch
from keras_seq2seq.tasks import TextToText

EPOCHS = 3
BATCH_SIZE = 256
LEARNING_RATE = 4e-3
NUM_BEAMS = 5
MAX_LENGTH = 50  # phones of an answer
WORDS = ("keras", "attention", "sequence")
SHOWN = 10  # test words
NAME = "g2p-demo"


def add_options(parser) -> None:
    add = parser.add_argument
    add(
        "words",
        nargs="*",
        type=utf8_text,
        default=WORDS,
        metavar="WORD",
        help=f"words for the exported model (default: {' '.join(WORDS)})",
    )
    add_preset(parser)
    add_learning_rate(parser, LEARNING_RATE)
    add(
        "--minutes",
        type=positive,
        metavar="M",
        help=f"train for about M minutes, instead of {EPOCHS} epochs",
    )
    add(
        "--words",
        dest="limit",
        type=at_least_one,
        metavar="N",
        help="train and evaluate on only N words, for a quick try",
    )
    add(
        "--out",
        type=pathlib.Path,
        default=pathlib.Path(),
        metavar="FOLDER",
        help="folder for runs/ and saved_models/ (default: the current one)",
    )
    add("--seed", type=seed, default=0)


def run(options) -> None:
    begun = time.monotonic()
    keras.utils.set_random_seed(options.seed)
    corpus = _corpus(options.limit, options.seed)
    task = _trained(corpus.train, corpus.validation, options)
    _judge(task, corpus.test)
    word = _show(task, corpus.test, options.seed)
    _draw(task, word, options.out / "runs" / f"{NAME}.png")
    with stage("Save"):
        task.save(options.out / "runs" / NAME)
        print(f"  {options.out / 'runs' / NAME}")
    if is_installed("tensorflow"):
        _serve(task, options.out / "saved_models" / NAME, options.words)
    else:
        print(
            "\nNot exported: this needs TensorFlow. "
            "pip install 'keras-seq2seq[tensorflow]'"
        )
    print(f"\nAll done in {time.monotonic() - begun:.0f} s")


def _corpus(limit, seed):
    """The dictionary, or at most `limit` words of each split."""
    with stage("Read the CMU Pronouncing Dictionary"):
        corpus = cmudict()
        if limit is not None:
            corpus = CorpusSplits(
                _sample(corpus.train, limit, seed),
                _sample(corpus.validation, limit, seed),
                _sample(corpus.test, limit, seed),
            )
        print(
            f"  {len(corpus.train):,} words to train on, "
            f"{len(corpus.validation):,} to watch, {len(corpus.test):,} to test"
        )
    return corpus


def _sample(corpus, count, seed):
    """A random sample of at most `count` words of a corpus."""
    rows = random.Random(seed).sample(list(corpus), min(count, len(corpus)))
    return ParallelCorpus(*zip(*rows), target_tokenizer="symbol")


def _trained(train, validation, options):
    task = TextToText.from_corpus(
        train,
        options.preset,
        search=BeamSearch(NUM_BEAMS, max_length=MAX_LENGTH),
    )
    dataset = task.batches(train, batch_size=BATCH_SIZE, epochs=EPOCHS)
    epochs = EPOCHS
    if options.minutes is not None:
        with stage("Measure the speed of training"):
            speed = training.measure_speed(task, dataset)
            epochs = speed * 60 * options.minutes
            print(f"  {epochs:.1f} epochs in {options.minutes:g} min")
    title = (
        f"Train {options.preset} on {keras.backend.backend()}: "
        f"{task.model.count_params():,} weights, "
        f"{len(dataset.sources):,} pairs, "
        f"{epochs:.3g} epochs"
    )
    rate = learning_rate(options, LEARNING_RATE)
    with stage(title):
        task.compile(
            training.make_optimizer(rate, batches=len(dataset), epochs=epochs)
        )
        training.fit(task, dataset, validation_data=validation, epochs=epochs)
    return task


def _judge(task, test):
    title = f"Evaluate on {len(test):,} test words, {NUM_BEAMS} beams"
    with stage(title):
        begun = time.monotonic()
        rates = task.evaluate(test, verbose=sys.stdout.isatty())
        speed = len(test) / (time.monotonic() - begun)
        print(
            f"  PER {rates['per']:.2%}   WER {rates['wer']:.2%}   "
            f"({speed:,.0f} words a second)"
        )


def _show(task, test, seed):
    """Show the answers to some test words; return the longest word."""
    count = min(SHOWN, len(test))
    rows = random.Random(seed).sample(list(test), count)
    words, references = zip(*rows)
    with stage(f"{count} test words"):
        found = task.generate(list(words), n_best=1)
        wide = max(map(len, words))
        for word, (best,), group in zip(words, found, references):
            mark = "right" if best.text in group else "WRONG"
            print(
                f"  {mark}  {word:{wide}}  {best.score:7.3f}  {best.text}"
                + ("" if best.text in group else f"  not {' or '.join(group)}")
            )
    return max(words, key=len)


def _draw(task, word, path):
    """Print the three best answers to a word, and plot the best one."""
    with stage(f"Three best answers to {word!r}, attention of the best"):
        (found,) = task.generate([word], n_best=3, return_attention_scores=True)
        for best in found:
            print(f"  {best.score:7.3f}  {best.text}")
        found = [best for best in found if np.any(best.attention_scores)]
        if not found:
            print("  No plot: no attention, or only empty answers.")
            return
        if not is_installed("matplotlib"):
            print("  No plot: it needs matplotlib. ", end="")
            print("pip install 'keras-seq2seq[plots]'")
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        draw(task, word, found[:1], path)
        print(f"  {path}")


def _serve(task, folder, words):
    with stage("Export"):
        print(f"  {task.export(folder)}")
    with stage("Run the export in a new process with only TensorFlow"):
        command = [sys.executable, pronounce.__file__, str(folder), *words]
        print(f"  $ {' '.join(command)}", flush=True)
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            lines = done.stderr.strip().splitlines() or ["no message"]
            raise RuntimeError(f"The exported model failed: {lines[-1]}")
        for line in done.stdout.splitlines():
            print(f"  {line.expandtabs(12)}")
