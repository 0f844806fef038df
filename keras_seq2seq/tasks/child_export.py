"""Export through a process of its own: TensorFlow, and no GPU in sight."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import keras

from keras_seq2seq.tasks import task_folder

ERROR = "keras_seq2seq.export: the export failed"  # a line on its own


def export(task, folder, *, n_best=None, max_source_length=None):
    """Write `folder/<next version>`, and give its path."""
    if importlib.util.find_spec("tensorflow") is None:
        raise ImportError(
            "`export` needs TensorFlow, whatever the backend. Install it with "
            "`pip install 'keras-seq2seq[tensorflow]'`."
        )
    options = [f"--import={name}" for name in _modules(task)]
    if n_best is not None:
        options.append(f"--n-best={n_best}")
    if max_source_length is not None:
        options.append(f"--max-source-length={max_source_length}")
    with tempfile.TemporaryDirectory() as scratch:
        saved = pathlib.Path(scratch, "task")
        task_folder.save(task, saved, with_optimizer=False)
        return _run(options, saved, os.path.abspath(folder))


def _run(options, saved, target):
    command = [sys.executable, "-P", "-m", "keras_seq2seq.export"]
    done = subprocess.run(
        [*command, *options, "--", str(saved), target],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path)),
            "KERAS_BACKEND": "tensorflow",
            "CUDA_VISIBLE_DEVICES": "-1",
            "TF_CPP_MIN_LOG_LEVEL": "3",
        },
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode == 0:
        return done.stdout.strip().splitlines()[-1]
    log, found, message = done.stderr.rpartition(ERROR)
    if not found:
        message = f"the process ended with the code {done.returncode}"
    message = re.sub(r"\x1b\[\d*m", "", message).strip()  # Keras writes bold
    error = RuntimeError(f"The export failed: {message}")
    error.add_note(f"In the process that exports:\n{log or done.stderr}")
    raise error


def _modules(task):
    """Modules that the exporting process has to import first."""
    names = set()
    for identifier in _registered(task_folder.configs(task)):
        cls = keras.saving.get_registered_object(identifier)
        if cls is None or cls.__module__.split(".")[0] == "keras_seq2seq":
            continue
        if cls.__module__ == "__main__":
            raise ValueError(
                "A class of an exported task must live in a module that "
                "another process can import. Received: class "
                f"`{cls.__name__}`, defined in `__main__`. Move it to a file "
                "of its own and import it."
            )
        names.add(cls.__module__)
    return sorted(names)


def _registered(config):
    """Registered names of all classes and functions in a config."""
    if isinstance(config, dict):
        if isinstance(config.get("registered_name"), str):
            yield config["registered_name"]
        config = list(config.values())
    if isinstance(config, (list, tuple)):
        for entry in config:
            yield from _registered(entry)
