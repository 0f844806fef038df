"""The data inputs of the package's own searches, constraints and penalties."""

from keras_seq2seq.search.inputs.banned_input import BannedInput
from keras_seq2seq.search.inputs.prefix_input import PrefixInput
from keras_seq2seq.search.inputs.search_input import SearchInput
from keras_seq2seq.search.inputs.seed_input import SeedInput

PREFIX = PrefixInput(
    "prefix",
    ("prefix_length",),
    meaning="what the answers begin with; '' for nothing",
)
BANNED_MASK = BannedInput(
    "banned_mask",
    ("vocabulary_size",),
    dtype="bool",
    neutral=False,
    meaning="(batch, vocabulary size), true at banned tokens",
)
SEED = SeedInput("seed", meaning="the same seed gives the same samples")
SOURCE_LENGTHS = SearchInput("source_lengths", from_source=True)
MEMORY_MASK = SearchInput(
    "memory_mask", ("Tv",), dtype="bool", neutral=True, from_source=True
)
TABLE = {
    entry.name: entry
    for entry in (PREFIX, BANNED_MASK, SEED, SOURCE_LENGTHS, MEMORY_MASK)
}
