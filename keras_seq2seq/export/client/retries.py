import random
import time

from keras_seq2seq.export.client.errors import ServingError

PAUSE = 0.1  # seconds before the first retry, doubled for each further one


def call_with_retries(function, retries, deadline):
    """Call `function(deadline)`, with at most so many retries.

    It is not retried if the pause would end after the deadline.
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
