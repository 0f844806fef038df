"""Export in a separate process, with TensorFlow and without a GPU."""

import importlib.util
import inspect
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from keras_seq2seq.export.names import STANDARD
from keras_seq2seq.export.saved_model import export_saved_model
from keras_seq2seq.export.selection import resolve_signatures
from keras_seq2seq.search import Search
from keras_seq2seq.tasks import Task
from keras_seq2seq.tasks import task_folder
from keras_seq2seq.tasks.trusted import users_own
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_type
from keras_seq2seq.utils.files import check_path
from keras_seq2seq.utils.files import check_plain
from keras_seq2seq.utils.files import check_writable

ERROR = "keras_seq2seq.export: the export failed"  # a line on its own


def export_in_child(task, folder, **options):
    """Write `folder/<next version>`; this is `task.export`.

    Args:
        task: Task.
        folder: Path of the folder that contains the versions.
        **options: As for `keras_seq2seq.export.export_saved_model`.

    Returns:
        Path of the version's folder, a string.
    """
    _, _, *known = inspect.signature(export_saved_model).parameters
    unknown = sorted(options.keys() - {*known})
    if unknown:
        raise TypeError(
            f"`export` knows the options {sorted(known)}. Received: {unknown}"
        )
    check_type(task, "task", Task)
    if importlib.util.find_spec("tensorflow") is None:
        raise ImportError(
            "`export` needs TensorFlow, whatever the backend. Install it with "
            "`pip install 'keras-seq2seq[tensorflow]'`."
        )
    check_writable(check_plain(check_path(folder).absolute()))
    options = {n: x for n, x in options.items() if x is not None}
    if "searches" in options:
        options["searches"] = _configs(options["searches"])
    if "signatures" in options:
        options["signatures"] = [
            entry if entry in STANDARD else registry.config_of(entry)
            for entry in resolve_signatures(options["signatures"])
        ]
    modules = _modules(
        [task.get_config(), options.get("searches"), options.get("signatures")],
        type(task),
    )
    with tempfile.TemporaryDirectory() as scratch:
        saved = pathlib.Path(scratch, "task")
        task_folder.save(task, saved, include_optimizer=False)
        path = pathlib.Path(scratch, "options.json")
        text = json.dumps(options, default=_plain_number)
        path.write_text(text, encoding="utf-8")
        arguments = [f"--import={name}" for name in modules]
        arguments += [f"--options={path}", f"--scratch={scratch}"]
        return _run(arguments, saved, os.path.abspath(folder))


def _plain_number(value):
    """The Python number of a NumPy one, which JSON does not know."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(
        "The options of an export must be plain values. Received: one of type "
        f"`{type(value).__name__}`"
    )


def _configs(searches):
    """Dict of name -> config of the search."""
    if not isinstance(searches, dict):
        raise TypeError(
            "`searches` must be a dict of signature name -> search. Received: "
            f"searches of type `{type(searches).__name__}`"
        )
    return {
        name: registry.config_of(
            registry.get(search, Search, f"searches[{name!r}]")
        )
        for name, search in searches.items()
    }


def _run(arguments, saved, target):
    command = [sys.executable, "-P", "-m", "keras_seq2seq.export"]
    done = _child([*command, *arguments, "--", str(saved), target])
    if done.returncode == 0:
        return json.loads(done.stdout.strip().splitlines()[-1])
    log, found, message = done.stderr.rpartition(ERROR)
    if not found:
        message = f"the process ended with the code {done.returncode}"
    message = re.sub(r"\x1b\[\d*m", "", message).strip()  # Keras writes bold
    error = RuntimeError(f"The export failed: {message}")
    error.add_note(f"In the process that exports:\n{log or done.stderr}")
    raise error


def _child(command):
    """Run a process, whose standard input closes if this one ends."""
    theirs, ours = os.pipe()
    try:
        return subprocess.run(
            command,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path)),
                "KERAS_BACKEND": "tensorflow",
                "CUDA_VISIBLE_DEVICES": "-1",
                "TF_CPP_MIN_LOG_LEVEL": "3",
            },
            stdin=theirs,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
        )
    finally:
        os.close(theirs)
        os.close(ours)


def _modules(configs, task_class):
    """Names of the modules that the exporting process has to import."""
    used = {found for _, found in users_own(configs)}
    if not task_class.__module__.startswith(f"{registry.PACKAGE}."):
        used.add(task_class)
    for found in used:
        if found.__module__ == "__main__":
            raise ValueError(
                "A class used in an export must be in a module that another "
                "process can import. Received: class "
                f"`{found.__name__}`, defined in `__main__`. Move it to a file "
                "of its own and import it."
            )
    return sorted({found.__module__ for found in used})
