"""Train a task on pairs of texts and save it.

Ctrl-C or SIGTERM ends the training after the current batch, without a further
validation, and saves the task: the exit status is 0. A second one ends the
command immediately and saves nothing.
"""

import keras

from keras_seq2seq.cli import training
from keras_seq2seq.cli.options import CORPUS_HELP
from keras_seq2seq.cli.options import add_learning_rate
from keras_seq2seq.cli.options import add_preset
from keras_seq2seq.cli.options import at_least_one
from keras_seq2seq.cli.options import choose_settings
from keras_seq2seq.cli.options import learning_rate
from keras_seq2seq.cli.options import read_corpus
from keras_seq2seq.cli.options import seed
from keras_seq2seq.cli.options import setting
from keras_seq2seq.tasks import TextToText
from keras_seq2seq.tasks import task_folder
from keras_seq2seq.tasks.learn_tokenizer import learnable_tokenizers

LEARNING_RATE = 2e-3


def add_options(parser) -> None:
    add = parser.add_argument
    add("corpus", metavar="CORPUS", help=CORPUS_HELP)
    add("--out", required=True, metavar="FOLDER", help="where to save the task")
    add("--validation", metavar="FILE", help="validation pairs, as CORPUS")
    for side in ("source", "target"):
        add(
            f"--{side}-tokenizer",
            choices=sorted(learnable_tokenizers()),
            default="character",
            help="character: each character is a token; symbol: tokens are "
            "separated by spaces (default: %(default)s)",
        )
    _add_model(parser)
    default = {"help": "default: %(default)s"}
    add("--epochs", type=at_least_one, default=5, **default)
    add("--batch-size", type=at_least_one, default=128, **default)
    add_learning_rate(parser, LEARNING_RATE)
    add(
        "--no-optimizer",
        action="store_true",
        help="save only the weights, a third of the size",
    )
    add("--seed", type=seed, default=0, **default)


def _add_model(parser):
    add_preset(parser)
    add = parser.add_argument
    add(
        "--units",
        type=at_least_one,
        help="width of the layers, in a Transformer also of the embeddings "
        "(default: the preset's)",
    )
    default = {"help": "default: the preset's"}
    add("--embedding-dim", type=at_least_one, **default)
    add("--num-layers", type=at_least_one, **default)
    add("--num-heads", type=at_least_one, **default)
    add("--dropout", type=float, **default)
    add(
        "--set",
        dest="settings",
        type=setting,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="any other setting of the preset, such as cell=lstm, score=dot or "
        "input_feeding=false; may be repeated",
    )


def run(options) -> None:
    task_folder.check_target(options.out, "--out")  # before, not after
    keras.utils.set_random_seed(options.seed)
    corpus, validation = _corpora(options)
    settings = choose_settings(
        options.preset,
        units=options.units,
        embedding_dim=options.embedding_dim,
        num_layers=options.num_layers,
        num_heads=options.num_heads,
        dropout=options.dropout,
    )
    settings.update(options.settings)
    task = TextToText.from_corpus(corpus, options.preset, **settings)
    dataset = task.batches(
        corpus, batch_size=options.batch_size, epochs=options.epochs
    )
    pairs = len(dataset.sources) - len(dataset.left_out)
    print(
        f"{pairs:,} pairs, {task.model.count_params():,} weights, "
        f"{options.preset} on {keras.backend.backend()}",
        flush=True,
    )
    rate = learning_rate(options, LEARNING_RATE)
    epochs = options.epochs
    task.compile(
        training.make_optimizer(rate, batches=len(dataset), epochs=epochs)
    )
    stopped = training.fit(
        task,
        dataset,
        validation_data=validation,
        epochs=epochs,
        keep=lambda: task.save(
            options.out, include_optimizer=not options.no_optimizer
        ),
    )
    print(f"{'Stopped early. ' if stopped else ''}Saved in {options.out}")


def _corpora(options):
    """Training corpus, and validation corpus or `None`."""
    tokenizers = {
        "source_tokenizer": options.source_tokenizer,
        "target_tokenizer": options.target_tokenizer,
    }
    corpus = read_corpus(options.corpus, "train", **tokenizers)
    name = options.validation
    if name is None and options.corpus == "cmudict":
        name = "cmudict"
    if name is None:
        return corpus, None
    return corpus, read_corpus(name, "validation", **tokenizers)
