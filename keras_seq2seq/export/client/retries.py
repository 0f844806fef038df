import random
import time

from keras_seq2seq.export.client.errors import ServingError

PAUSE = 0.1  # seconds before the second try, twice as many before the next


def with_retries(function, retries, deadline):
    """What `function(deadline)` gives, after at most `retries` tries more.

    There is no further try where the pause before it outlasts the deadline.
    """
    for attempt in range(retries):
        pause = PAUSE * 2**attempt * random.uniform(0.5, 1)
        try:
            return function(deadline)
        except ServingError as error:
            if not error.may_retry or not deadline.allows(pause):
                raise
        time.sleep(pause)
    return function(deadline)
