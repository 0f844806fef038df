import random
import time

from keras_seq2seq.export.client.serving_error import ServingError

PAUSE = 0.1  # seconds before the second try, twice as many before the next


def with_retries(function, retries):
    """What `function()` gives, after at most `retries` tries more."""
    for attempt in range(retries):
        try:
            return function()
        except ServingError as error:
            if not error.may_retry:
                raise
        time.sleep(PAUSE * 2**attempt * random.uniform(0.5, 1))
    return function()
