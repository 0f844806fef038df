"""Explain the keys of a recipe, or check one.

    keras-seq2seq recipe
    keras-seq2seq recipe my.yaml

A recipe is a file of YAML for `keras-seq2seq train`, with a line such as
`epochs: 10` for each key that shall differ from its default. The keys are the
flags of `train`, with underscores.
"""

from keras_seq2seq.cli.recipe_file import read_recipe
from keras_seq2seq.cli.recipe_flags import explain
from keras_seq2seq.cli.recipe_keys import make_recipe


def add_options(parser) -> None:
    parser.add_argument(
        "recipe",
        nargs="?",
        metavar="FILE",
        help="recipe to check; all of its values are printed (default: none, "
        "the keys are explained)",
    )
    parser.add_argument(
        "--explain", action="store_true", help="explain the keys (the default)"
    )


def run(options) -> None:
    if options.recipe is None or options.explain:
        print(explain())
    if options.recipe is not None:
        recipe = make_recipe(read_recipe(options.recipe))
        for name, value in recipe.model_dump().items():
            print(f"{name}: {'' if value is None else value}")
