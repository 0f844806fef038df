"""How an export answers requests, beside `generate` of the task it came from.

    python benchmarks/serving.py SAVED_MODEL TASK [--requests 10000]

TensorFlow's C++ loader and session, the code that TensorFlow Serving runs,
answer words of the CMU Pronouncing Dictionary one by one and 32 at a time in
one process without Python; what a server adds around them (network, protocol,
queue) is not in the numbers. Then `generate` answers the same in this process.
Prints the time from start to the first answer, the median and the 99th
percentile of a request, and how far resident memory grew from the second
thousand requests to the last.
"""

import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402

import keras_seq2seq as k2s  # noqa: E402
from tests.export import processes  # noqa: E402
from tests.export import serving_requests  # noqa: E402

BATCHES = (1, 32)
WARM = 20  # first answers that do not count


def main(saved_model, task, requests):
    words = k2s.data.cmudict().test.sources
    task = k2s.tasks.load(task)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        processes.build_probe(scratch / "probe")
        serving_requests.write_descriptors(scratch / "descriptors")
        for size in BATCHES:
            count = requests if size == 1 else requests // size
            batches = [batch(words, size, number) for number in range(count)]
            times = served(scratch, saved_model, batches)
            if size == 1:
                report_start(times)
                report_memory(times)
            report(f"C++ session, batch {size}", times[1:, 1])
            report(f"generate, batch {size}", generated(task, batches[:300]))


def batch(words, size, number):
    first = number * size
    return [words[place % len(words)] for place in range(first, first + size)]


def served(scratch, saved_model, batches):
    """Microseconds since the start and of the answer, resident kilobytes."""
    serving_requests.write_requests(
        scratch / "requests",
        [("serving_default", serving_requests.texts(x)) for x in batches],
    )
    done = processes.run_probe(
        scratch / "probe",
        saved_model,
        *(scratch / n for n in ("descriptors", "requests", "responses")),
        f"--times={scratch / 'times'}",
    )
    if done.returncode:
        raise subprocess.CalledProcessError(
            done.returncode, "probe", stderr=done.stderr
        )
    return np.loadtxt(scratch / "times", dtype=int)


def generated(task, batches):
    """Microseconds of each answer of `generate`."""
    times = []
    for texts in batches:
        begun = time.perf_counter()
        task.generate(texts, verbose=False)
        times.append(1e6 * (time.perf_counter() - begun))
    return np.array(times)


def report(title, micros):
    p50, p99 = np.percentile(micros[WARM:], [50, 99]) / 1000
    print(f"{title}: p50 {p50:.2f} ms, p99 {p99:.2f} ms, {len(micros)} times")


def report_start(times):
    load, first = times[0, 0] / 1e6, times[1, 0] / 1e6
    print(f"start to loaded {load:.2f} s, to the first answer {first:.2f} s")


def report_memory(times):
    resident = times[1:, 2]
    if len(resident) < 3000:
        return
    second, last = (
        statistics.median(part)
        for part in (resident[1000:2000], resident[-1000:])
    )
    print(
        f"resident memory: second thousand {second / 1024:.1f} MB, last "
        f"thousand {last / 1024:.1f} MB ({last / second - 1:+.2%})"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("saved_model")
    parser.add_argument("task")
    parser.add_argument("--requests", type=int, default=10_000)
    main(**vars(parser.parse_args()))
