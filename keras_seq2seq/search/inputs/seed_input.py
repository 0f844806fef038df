import numbers

import numpy as np

from keras_seq2seq.search.inputs.search_input import SearchInput
from keras_seq2seq.utils.token_ids import check_32_bits

SEEDS = 2**31


class SeedInput(SearchInput):
    """Seeds; of a task, one seed is that of the first text, the next the next.

    Without one, the first is drawn by NumPy.
    """

    def rows(self, given, count, **options):
        if given is None:
            given = np.random.randint(SEEDS)  # of `keras.utils.set_random_seed`
        if isinstance(given, numbers.Integral) and not isinstance(given, bool):
            check_32_bits(given, self.argument)
            given = [(int(given) + place) % SEEDS for place in range(count)]
        return super().rows(given, count, **options)
