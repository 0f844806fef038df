"""Pairs of texts from TensorFlow Datasets."""

import os
import pathlib


def read_pairs(name, *, split, source, target):
    """Read two text features of a dataset.

    Args:
        name: Name of a dataset, or path of a folder for `TranslateFolder`.
        split: String.
        source, target: Names of features.
    """
    tfds = _tfds()
    if folder_files(name, split=split, source=source, target=target) is None:
        dataset = tfds.load(name, split=split)
    else:
        dataset = tfds.TranslateFolder(os.fspath(name)).as_dataset(split=split)
    features = dataset.element_spec
    for feature in (source, target):
        if feature not in features:
            raise ValueError(
                "`source` and `target` must be features of the dataset, "
                f"{sorted(features)}. Received: {feature!r}"
            )
    for row in tfds.as_numpy(dataset):
        yield row[source].decode("utf-8"), row[target].decode("utf-8")


def folder_files(name, *, split, source, target):
    """Paths of the files of a `TranslateFolder`; `None` for other datasets.

    `TranslateFolder` refuses files whose names do not have two dots, and cuts
    lines at more characters than newlines; both raise here with a cure.
    """
    folder = pathlib.Path(name)
    if not folder.is_dir():
        return None
    files = folder / f"{source}.{split}.txt", folder / f"{target}.{split}.txt"
    for path in files:
        if not path.is_file():
            raise ValueError(
                "`name` must be a folder with the files "
                f"{files[0].name} and {files[1].name}. Received: "
                f"name={str(name)!r}, which has no {path.name}. Choose the "
                "languages and the split that the folder has."
            )
    others = [x.name for x in folder.iterdir() if x.name.count(".") != 2]
    if others:
        raise ValueError(
            "The folder must hold only files named LANGUAGE.SPLIT.txt. "
            f"Received: name={str(name)!r} with {sorted(others)[0]}. Move "
            "other files away."
        )
    counts = [_count_lines(path) for path in files]
    if counts[0] != counts[1]:
        raise ValueError(
            "Both files must have the same number of lines, where U+2028, "
            "U+0085, form feeds and the like end a line too. Received: "
            f"{files[0].name} with {counts[0]:,}, {files[1].name} with "
            f"{counts[1]:,}. Remove such characters, or use `from_files`."
        )
    return files


def _count_lines(path):
    return len(path.read_text("utf-8").splitlines())


def _tfds():
    try:
        import tensorflow_datasets
    except ImportError as error:
        raise ImportError(
            "`from_tfds` needs TensorFlow Datasets. Received: "
            f"{error}. pip install 'keras-seq2seq[tfds]'"
        ) from error
    return tensorflow_datasets
