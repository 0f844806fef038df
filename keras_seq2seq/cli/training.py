"""Training, as the commands run it."""

import copy
import math
import statistics
import sys

import keras

from keras_seq2seq.cli.callbacks import Clock
from keras_seq2seq.cli.callbacks import GracefulStop
from keras_seq2seq.cli.callbacks import ProgressLines
from keras_seq2seq.cli.callbacks import StepLimit
from keras_seq2seq.cli.command_line import shown_command


def make_optimizer(
    learning_rate: float, *, batches: int, epochs: float, warmup_steps: int = 0
) -> keras.optimizers.Optimizer:
    """Adam with a cosine decay of the learning rate to 0 over all steps.

    Args:
        learning_rate: Number, the highest rate.
        batches: Integer, the number of batches in an epoch.
        epochs: Number.
        warmup_steps: Integer. Steps in which the rate rises from 0. Defaults to
            `0`: it begins with the highest.
    """
    steps = max(1, round(batches * epochs) - warmup_steps)
    warmup = {"warmup_target": learning_rate, "warmup_steps": warmup_steps}
    schedule = keras.optimizers.schedules.CosineDecay(
        0.0 if warmup_steps else learning_rate,
        steps,
        **(warmup if warmup_steps else {}),
    )
    return keras.optimizers.Adam(schedule, clipnorm=1.0)


def fit(task, dataset, *, epochs, validation_data=None, keep=None) -> bool:
    """Run `task.fit` with progress, and tell whether a signal ended it.

    Args:
        task: Task.
        dataset: Dataset made by `task.batches`.
        validation_data: As for `task.fit`.
        epochs: Number. May be a fraction: the last epoch is then shorter.
        keep: Function without arguments that saves the trained task. A signal
            that arrives while it runs does not interrupt it.
    """
    task.card.command = shown_command()
    callbacks = [StepLimit(max(1, round(len(dataset) * epochs)))]
    lines, stop = not sys.stdout.isatty(), GracefulStop()
    if lines:
        tokens = dataset.statistics()["tokens"]
        callbacks.append(ProgressLines(stop, tokens, epochs))
    with stop:
        task.fit(
            dataset,
            validation_data=validation_data,
            batch_size=dataset.batch_size,
            epochs=math.ceil(epochs),
            verbose=0 if lines else 1,
            validation_freq=stop.validation_freq,
            callbacks=[stop, *callbacks],
        )
        if keep is not None:
            keep()
    return stop.stopped


def print_sizes(task, dataset) -> None:
    """Print what was removed, and the size of model and batches."""
    removed = {**dataset.filtered, "too long": len(dataset.left_out)}
    removed = [f"{count:,} {name}" for name, count in removed.items() if count]
    if removed:
        print(f"Left out: {', '.join(removed)}")
    sizes = dataset.statistics()
    print(
        f"{sizes['pairs']:,} pairs, {task.model.count_params():,} weights, "
        f"{len(task.source_tokenizer.vocabulary):,} source and "
        f"{len(task.target_tokenizer.vocabulary):,} target tokens"
    )
    print(
        f"{sizes['batches']:,} batches of {sizes['shapes']} shapes, each of "
        f"{sizes['tokens']:,.0f} tokens and {sizes['padding']:.1%} padding",
        flush=True,
    )


def measure_speed(task, dataset, *, seconds=20) -> float:
    """Measure the speed of training; the task's weights are not changed."""
    clock, card = Clock(seconds), task.card
    task.card = copy.deepcopy(card)
    weights = task.model.get_weights()
    task.compile()
    task.fit(dataset, verbose=0, callbacks=[clock])
    task.model.set_weights(weights)
    task.card = card
    # The median, since some batches compile.
    batch_seconds = max(1e-6, statistics.median(clock.durations))
    return 1 / (len(dataset) * batch_seconds)
