"""Batches of pairs with similar lengths."""

from collections.abc import Callable
from collections.abc import Sequence

import keras
import numpy as np

from keras_seq2seq.data.batch_cost import MAX_COST
from keras_seq2seq.data.batch_shapes import check_batch_size
from keras_seq2seq.data.batch_shapes import learn_shapes
from keras_seq2seq.data.batch_shapes import select_affordable
from keras_seq2seq.data.bucketing import assign_buckets
from keras_seq2seq.data.checks import check_ids
from keras_seq2seq.data.checks import check_rows
from keras_seq2seq.data.teacher_forcing import pad_token_ids
from keras_seq2seq.data.teacher_forcing import teacher_forcing
from keras_seq2seq.data.token_rows import TokenRows
from keras_seq2seq.data.token_rows import row_lengths
from keras_seq2seq.text import Vocabulary
from keras_seq2seq.utils.allocator import keep_freed_memory
from keras_seq2seq.utils.checks import check_integer


class BucketedDataset(keras.utils.PyDataset):
    """Dataset of id sequences for `fit()`, bucketed by length.

    Batches have at most `num_buckets` different shapes (see `learn_buckets`),
    so training compiles few graphs and needs little padding. A batch is
    `({"encoder_token_ids", "decoder_token_ids"}, targets, sample_weight)`, as
    from `teacher_forcing`.

    A batch has `batch_size` rows; or as many as fit into `tokens_per_batch`,
    rounded down to a multiple of 8, where the tokens of a row are its padded
    source and target tokens, including the end. Each bucket has one number of
    rows. Its cost is limited: it has fewer rows to keep `rows * tokens**2`
    within `max_cost`. (A batch of a single row may cost up to four times as
    much, if it is padded for both a long source and a long target.) Pairs too
    long for `batch_size` rows get their own buckets. Pairs too long for a batch
    of one row are left out with a warning; `left_out` lists their indices.

    A row belongs to the first bucket that it fits into. Rows left over after
    the last full batch of a bucket move to the next bucket if its batches have
    the same number of rows. Otherwise the last batch is filled up with empty
    rows of weight 0. With `shuffle`, rows and batches are shuffled again each
    epoch; the order depends only on `seed` and the epoch. (`fit()` shuffles the
    batches again unless you pass `shuffle=False`.) Under TensorFlow,
    `fit(for_fit(dataset))` avoids a wait at the end of each epoch.

    Args:
        source_token_ids: List of lists of ids, without special tokens, or
            `TokenRows`, or a list of inputs for `batch_sources`.
        target_token_ids: List of lists of ids, without start and end, or
            `TokenRows`.
        batch_size: Integer. Defaults to `None`: `tokens_per_batch` is given.
        tokens_per_batch: Integer. Defaults to `None`.
        num_buckets: Integer. Largest number of shapes. Defaults to `8`.
        shuffle: Boolean. Defaults to `True`.
        seed: Integer. Defaults to `None`: drawn from NumPy's global generator,
            which `keras.utils.set_random_seed` seeds.
        epoch: Integer. The epoch to begin with, to continue where an earlier
            training with the same `seed` ended. Defaults to `0`.
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
        batch_size: int | None = None,
        tokens_per_batch: int | None = None,
        num_buckets: int = 8,
        shuffle: bool = True,
        seed: int | None = None,
        epoch: int = 0,
        max_cost: int = MAX_COST,
        source_vocabulary_size: int | None = None,
        target_vocabulary_size: int | None = None,
        batch_sources: Callable[[list, int], dict] | None = None,
    ):
        # No workers: with Keras's queue, batches leak into the next epoch.
        super().__init__()
        check_batch_size(batch_size, tokens_per_batch)
        check_rows(source_token_ids, target_token_ids)
        if batch_sources is None or source_vocabulary_size is not None:
            check_ids(
                "source_token_ids",
                source_token_ids,
                Vocabulary.pad_token_id,
                source_vocabulary_size,
            )
            source_token_ids = _compact(source_token_ids)
        check_ids(
            "target_token_ids",
            target_token_ids,
            Vocabulary.end_token_id,
            target_vocabulary_size,
        )
        if shuffle and seed is None:
            seed = int(np.random.randint(2**31 - 1))
        self.sources = source_token_ids
        self.targets = _compact(target_token_ids)
        self.batch_sources = batch_sources or _token_ids
        self.batch_size = batch_size
        self.tokens_per_batch = tokens_per_batch
        self.shuffle = shuffle
        self.seed = seed
        self.epoch = check_integer(epoch, "epoch", 0)
        lengths = np.stack(
            [row_lengths(self.sources), self.targets.lengths + 1], axis=1
        )
        kept = select_affordable(lengths, max_cost)
        self.left_out = np.flatnonzero(~kept).tolist()
        # The rows are the batch size of each bucket.
        self.buckets, self.rows = learn_shapes(
            lengths[kept], num_buckets, max_cost, batch_size, tokens_per_batch
        )
        self._tokens = int(lengths[kept].sum())
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
            self.targets.take(rows),
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

    def statistics(self) -> dict:
        """Size and padding of the batches of an epoch.

        Returns:
            Dict of `pairs`, `left_out` (pairs), `batches`, `shapes`, `tokens`
            (of a batch, source and target, on average, without padding) and
            `padding`, the fraction of all cells.
        """
        cells = sum(
            self.rows[bucket] * sum(self.buckets[bucket])
            for bucket, _ in self._batches
        )
        return {
            "pairs": len(self.targets) - len(self.left_out),
            "left_out": len(self.left_out),
            "batches": len(self),
            "shapes": len(self.buckets),
            "tokens": self._tokens / len(self),
            "padding": 1 - self._tokens / cells,
        }

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


def _compact(token_ids):
    is_compact = isinstance(token_ids, TokenRows)
    return token_ids if is_compact else TokenRows.from_rows(token_ids)


def _token_ids(rows, length):
    return {"encoder_token_ids": pad_token_ids(rows, length=length)}


def _with_rows(array, missing):
    """Append `missing` rows of padding, `0` or `False`, to an array."""
    if not missing:
        return array
    rows = np.zeros((missing, *array.shape[1:]), array.dtype)
    return np.concatenate([array, rows])
