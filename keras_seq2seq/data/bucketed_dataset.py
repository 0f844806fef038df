"""Batches of pairs of about equal length."""

from collections.abc import Callable
from collections.abc import Sequence

import keras
import numpy as np

from keras_seq2seq.data.batch_cost import MAX_COST
from keras_seq2seq.data.batch_cost import affordable_rows
from keras_seq2seq.data.batch_cost import most_tokens
from keras_seq2seq.data.bucketing import assign_buckets
from keras_seq2seq.data.bucketing import learn_buckets
from keras_seq2seq.data.checks import check_ids
from keras_seq2seq.data.checks import check_rows
from keras_seq2seq.data.teacher_forcing import pad_token_ids
from keras_seq2seq.data.teacher_forcing import teacher_forcing
from keras_seq2seq.text import Vocabulary
from keras_seq2seq.utils.allocator import keep_freed_memory
from keras_seq2seq.utils.caller import warn_caller
from keras_seq2seq.utils.checks import check_integer
from keras_seq2seq.utils.sizes import check_dimension


class BucketedDataset(keras.utils.PyDataset):
    """Dataset of id sequences for `fit()`, bucketed by length.

    Every batch has one of at most `num_buckets` shapes (see `learn_buckets`),
    so that training compiles few programs and pads little. A batch is
    `({"encoder_token_ids", "decoder_token_ids"}, targets, sample_weight)`, as
    `teacher_forcing` makes it.

    What a batch costs does not depend on the data: it has `batch_size` rows,
    or as many as keep `rows * tokens**2` within `max_cost`, where `tokens`
    are source, target and end of the padded pair. (One row may cost up to four
    times as much, where it is padded for a long source and a long target.)
    Pairs that are too long for `batch_size` rows have buckets of their own.
    Those of which not one fits are left out: a warning says so, and `left_out`
    lists their numbers.

    A row lives in the first bucket it fits. What is left of a bucket after
    whole batches moves up to the next one, if that has as many rows;
    otherwise, and at the end, the last batch is filled up, with empty rows of
    weight 0. With `shuffle`, rows and batches are
    shuffled anew each epoch, from `seed` and the number of the epoch alone.
    (`fit()` shuffles the batches once more unless told `shuffle=False`.) Under
    TensorFlow `fit(for_fit(dataset))` spares a wait at the end of each epoch.

    Args:
        source_token_ids: List of lists of ids, without special ones; or of
            whatever `batch_sources` takes.
        target_token_ids: List of lists of ids, without start and end.
        batch_size: Integer.
        num_buckets: Integer. At most this many shapes. Defaults to `8`.
        shuffle: Boolean. Defaults to `True`.
        seed: Integer. Defaults to `None`: drawn from NumPy's global generator,
            which `keras.utils.set_random_seed` sets.
        max_cost: Integer. Most `rows * tokens**2` of a batch. Defaults to
            `2**24`: 128 rows of 362 tokens, or one of 4,096.
        source_vocabulary_size, target_vocabulary_size: Integers. Number of
            ids of the model, which are all looked at here, once: a model does
            not look at the ids of a dataset. Defaults to `None`: any ids of
            32 bits.
        batch_sources: Function of a list of rows and a length, which gives a
            dict of arrays, the model's inputs of such a batch: for sources of
            other kinds, or other names. A row is anything with a length.
            Defaults to `None`: token ids, as `encoder_token_ids`.

    Example:

    >>> dataset = k2s.data.BucketedDataset(
    ...     [[4, 5], [6]], [[7], [8, 9]], batch_size=2, num_buckets=1
    ... )
    >>> inputs, targets, sample_weight = dataset[0]
    >>> inputs["encoder_token_ids"].shape, targets.shape
    ((2, 2), (2, 3))
    """

    def __init__(
        self,
        source_token_ids: Sequence[Sequence[int]],
        target_token_ids: Sequence[Sequence[int]],
        *,
        batch_size: int,
        num_buckets: int = 8,
        shuffle: bool = True,
        seed: int | None = None,
        max_cost: int = MAX_COST,
        source_vocabulary_size: int | None = None,
        target_vocabulary_size: int | None = None,
        batch_sources: Callable[[list, int], dict] | None = None,
    ):
        # No workers: Keras's queue carries batches over into the next epoch.
        super().__init__()
        check_rows(source_token_ids, target_token_ids, batch_size)
        if batch_sources is None or source_vocabulary_size is not None:
            check_ids(
                "source_token_ids",
                source_token_ids,
                Vocabulary.pad_token_id,
                source_vocabulary_size,
            )
        check_ids(
            "target_token_ids",
            target_token_ids,
            Vocabulary.end_token_id,
            target_vocabulary_size,
        )
        if shuffle and seed is None:
            seed = int(np.random.randint(2**31 - 1))
        self.sources = list(source_token_ids)
        self.targets = list(target_token_ids)
        self.batch_sources = batch_sources or _token_ids
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.seed = seed
        self.epoch = 0
        with_end = [len(ids) + 1 for ids in self.targets]
        lengths = np.array([*zip(map(len, self.sources), with_end)])
        kept = _affordable(lengths, check_integer(max_cost, "max_cost", 1))
        self.left_out = np.flatnonzero(~kept).tolist()
        limit = most_tokens(batch_size, max_cost)  # of a whole batch
        self.buckets = _learned(lengths[kept], limit, num_buckets)
        self.rows = [  # of the batches of each bucket
            max(1, affordable_rows(batch_size, sum(bucket), max_cost))
            for bucket in self.buckets
        ]
        index = assign_buckets(*lengths[kept].T, self.buckets)
        self._members = [
            np.flatnonzero(kept)[index == bucket]
            for bucket in range(len(self.buckets))
        ]
        self._batches = self._plan()

    def __len__(self) -> int:
        return len(self._batches)

    def __getitem__(self, index):
        keep_freed_memory()
        bucket, rows = self._batches[index]
        source_length, target_length = self.buckets[bucket]
        inputs = self.batch_sources(
            [self.sources[row] for row in rows], source_length
        )
        decoder_token_ids, targets, sample_weight = teacher_forcing(
            [self.targets[row] for row in rows],
            rows=self.rows[bucket],
            length=target_length,
        )
        missing = self.rows[bucket] - len(rows)
        inputs = {name: _with_rows(x, missing) for name, x in inputs.items()}
        inputs["decoder_token_ids"] = decoder_token_ids
        return inputs, targets, sample_weight

    def on_epoch_end(self):
        self.epoch += 1
        self._batches = self._plan()

    def _plan(self):
        """List of (bucket, rows), the order in which batches are given."""
        generator = (
            np.random.default_rng([self.seed, self.epoch])
            if self.shuffle
            else None
        )
        batches = self._cut(generator)
        if len(batches) == 1:
            return batches
        # Keras on TensorFlow takes the shapes of batches 0 and 1 for those of
        # all, but for sizes in which these two differ. So the smallest and
        # the largest batch come first. That suffices: along the chain of
        # buckets neither length ever falls, nor do rows ever rise, so a size
        # that is equal in the first and the last of them is equal in all.
        smallest, largest, between = batches[0], batches[-1], batches[1:-1]
        first = [smallest, largest]
        if generator is not None:
            generator.shuffle(first)
            generator.shuffle(between)
        return first + between

    def _cut(self, generator):
        """Batches bucket by bucket, leftovers moving up."""
        batches, rows = [], np.zeros(0, int)
        for bucket, members in enumerate(self._members):
            rows = np.concatenate([rows, members])
            if generator is not None:
                generator.shuffle(rows)
            size = self.rows[bucket]
            may_move_up = self.rows[bucket + 1 :][:1] == [size]
            end = len(rows) // size * size if may_move_up else len(rows)
            batches += [
                (bucket, rows[begin : begin + size])
                for begin in range(0, end, size)
            ]
            rows = rows[end:]
        return batches


def _token_ids(rows, length):
    return {"encoder_token_ids": pad_token_ids(rows, length=length)}


def _with_rows(array, missing):
    """An array and some rows more, all of padding: 0, or `False`."""
    if not missing:
        return array
    rows = np.zeros((missing, *array.shape[1:]), array.dtype)
    return np.concatenate([array, rows])


def _learned(lengths, limit, num_buckets):
    """Chain of buckets; pairs above a limit have their share of them.

    Args:
        lengths: Integers of shape `(rows, 2)`.
        limit: Integer, tokens of both sides together.
        num_buckets: Integer.
    """
    check_dimension(num_buckets, "num_buckets")
    is_long = lengths.sum(axis=1) > limit
    share = max(1, round(num_buckets * float(is_long.mean())))
    share = min(share, num_buckets - 1)
    if is_long.all() or not is_long.any() or not share:
        return learn_buckets(*lengths.T, num_buckets=num_buckets)
    chain = learn_buckets(*lengths[~is_long].T, num_buckets=num_buckets - share)
    above = np.maximum(lengths[is_long], chain[-1])
    return sorted({*chain, *learn_buckets(*above.T, num_buckets=share)})


def _affordable(lengths, max_cost):
    """Booleans of shape `(rows,)`: which pairs a batch can hold.

    Warns of others; raises where there is no such pair.
    """
    tokens, most = lengths.sum(axis=1), most_tokens(1, max_cost)
    found = tokens <= most
    if found.all():
        return found
    longest = int(tokens.argmax())
    problem = (
        f"Pairs must have at most {most:,} tokens, source, target and end "
        f"together. Received: {len(found) - found.sum():,} of {len(found):,} "
        f"that have more, up to {tokens[longest]:,} (row {longest}). Cut them "
        "into sentences, or raise `max_cost`."
    )
    if not found.any():
        raise ValueError(problem)
    warn_caller(f"{problem} They are left out.")
    return found
