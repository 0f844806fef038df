import numbers

import numpy as np

from keras_seq2seq.search.inputs.search_input import SearchInput
from keras_seq2seq.utils.token_ids import check_32_bits

SEEDS = 2**31


class SeedInput(SearchInput):
    """Seeds of a sampling search.

    In a task, a single seed is for the first text, and each further text gets
    the next integer. Without a seed, NumPy draws the first one.
    """

    def rows(self, given, count, **options):
        if given is None:
            given = np.random.randint(SEEDS)  # `keras.utils.set_random_seed`
        if isinstance(given, numbers.Integral) and not isinstance(given, bool):
            check_32_bits(given, self.argument)
            given = [(int(given) + index) % SEEDS for index in range(count)]
        return super().rows(given, count, **options)
