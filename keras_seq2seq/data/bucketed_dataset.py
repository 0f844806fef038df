"""Batches of pairs with similar lengths."""

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

    Batches have at most `num_buckets` different shapes (see `learn_buckets`),
    so training compiles few graphs and needs little padding. A batch is
    `({"encoder_token_ids", "decoder_token_ids"}, targets, sample_weight)`, as
    from `teacher_forcing`.

    The cost of a batch is limited: it has `batch_size` rows, or fewer to keep
    `rows * tokens**2` within `max_cost`, where `tokens` are the padded source
    and target tokens of a row, including the end. (A batch of a single row may
    cost up to four times as much, if it is padded for both a long source and a
    long target.) Pairs too long for `batch_size` rows get their own buckets.
    Pairs too long for a batch of one row are left out with a warning;
    `left_out` lists their indices.

    A row belongs to the first bucket that it fits into. Rows left over after
    the last full batch of a bucket move to the next bucket if its batches have
    the same number of rows. Otherwise the last batch is filled up with empty
    rows of weight 0. With `shuffle`, rows and batches are shuffled again each
    epoch; the order depends only on `seed` and the epoch. (`fit()` shuffles the
    batches again unless you pass `shuffle=False`.) Under TensorFlow,
    `fit(for_fit(dataset))` avoids a wait at the end of each epoch.

    Args:
        source_token_ids: List of lists of ids, without special tokens, or a
            list of inputs for `batch_sources`.
        target_token_ids: List of lists of ids, without start and end.
        batch_size: Integer.
        num_buckets: Integer. Largest number of shapes. Defaults to `8`.
        shuffle: Boolean. Defaults to `True`.
        seed: Integer. Defaults to `None`: drawn from NumPy's global generator,
            which `keras.utils.set_random_seed` seeds.
        max_cost: Integer. Largest `rows * tokens**2` of a batch. Defaults to
            `2**24`, which is 128 rows of 362 tokens, or one row of 4,096.
        source_vocabulary_size, target_vocabulary_size: Integers. The model's
            vocabulary sizes, against which all ids are checked once, as a model
            does not check the ids of a dataset. Default to `None`, which allows
            any 32-bit ids.
        batch_sources: Function of a list of rows and a length that returns a
            dict of arrays, the model's inputs for the batch. For other kinds of
            sources, or other names of inputs. A row may be any object with a
            length. Defaults to `None`: token ids, as `encoder_token_ids`.

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
        # No workers: with Keras's queue, batches leak into the next epoch.
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
        kept = _select_affordable(
            lengths, check_integer(max_cost, "max_cost", 1)
        )
        self.left_out = np.flatnonzero(~kept).tolist()
        limit = most_tokens(batch_size, max_cost)  # for `batch_size` rows
        self.buckets = _learn_buckets(lengths[kept], limit, num_buckets)
        self.rows = [  # batch size of each bucket
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
        """Plan the batches of an epoch: list of (bucket, row indices)."""
        generator = (
            np.random.default_rng([self.seed, self.epoch])
            if self.shuffle
            else None
        )
        batches = self._cut(generator)
        if len(batches) == 1:
            return batches
        # Under TensorFlow, Keras assumes that a size which is equal in batches
        # 0 and 1 is equal in all batches. So the batches of the first and the
        # last bucket come first. This suffices, as sizes change monotonically
        # along the buckets: a size that is equal in both is equal in all.
        smallest, largest, between = batches[0], batches[-1], batches[1:-1]
        first = [smallest, largest]
        if generator is not None:
            generator.shuffle(first)
            generator.shuffle(between)
        return first + between

    def _cut(self, generator):
        """Cut batches bucket by bucket; leftover rows move to the next one."""
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
    """Append `missing` rows of padding, `0` or `False`, to an array."""
    if not missing:
        return array
    rows = np.zeros((missing, *array.shape[1:]), array.dtype)
    return np.concatenate([array, rows])


def _learn_buckets(lengths, limit, num_buckets):
    """Learn buckets; pairs above `limit` get a proportional share of them.

    Args:
        lengths: Integer array of shape `(rows, 2)`.
        limit: Integer. Tokens of source and target together.
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


def _select_affordable(lengths, max_cost):
    """Boolean array `(rows,)`: the pairs that fit into a batch.

    Warns about the others; raises if no pair fits.
    """
    tokens, most = lengths.sum(axis=1), most_tokens(1, max_cost)
    fits = tokens <= most
    if fits.all():
        return fits
    longest = int(tokens.argmax())
    problem = (
        f"Pairs must have at most {most:,} tokens, source, target and end "
        f"together. Received: {len(fits) - fits.sum():,} of {len(fits):,} "
        f"pairs with more, up to {tokens[longest]:,} (row {longest}). Split "
        "them into sentences, or increase `max_cost`."
    )
    if not fits.any():
        raise ValueError(problem)
    warn_caller(f"{problem} They are left out.")
    return fits
