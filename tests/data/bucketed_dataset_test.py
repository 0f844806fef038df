import keras
import numpy as np
import pytest

from keras_seq2seq.data import BucketedDataset
from keras_seq2seq.data import TokenRows


def random_ids(rows, seed=0):
    generator = np.random.default_rng(seed)

    def draw():
        lengths = generator.geometric(0.15, rows) - 1  # empty ones among them
        return [
            generator.integers(4, 20, length).tolist() for length in lengths
        ]

    return draw(), draw()


def row_of(number, source_length, target_length):
    """A pair that is known by its first source id."""
    source = [number] + [4] * (source_length - 1)
    return source, [5] * target_length


def rows_of(batch):
    """Numbers of the real rows of a batch."""
    numbers = batch[0]["encoder_token_ids"][:, 0]
    return sorted(numbers[batch[2].any(axis=1)].tolist())


def numbered(lengths):
    pairs = [row_of(10 + i, s, t) for i, (s, t) in enumerate(lengths)]
    return [list(side) for side in zip(*pairs)]


def shapes_of(batch):
    inputs, targets, _ = batch
    return inputs["encoder_token_ids"].shape[1], targets.shape[1]


def test_batch():
    dataset = BucketedDataset(
        [[4, 5], [6]],
        [[7], [8, 9]],
        batch_size=3,
        num_buckets=1,
        shuffle=False,
    )
    assert len(dataset) == dataset.num_batches == 1
    inputs, targets, sample_weight = dataset[0]
    assert sorted(inputs) == ["decoder_token_ids", "encoder_token_ids"]
    np.testing.assert_array_equal(
        inputs["encoder_token_ids"], [[4, 5], [6, 0], [0, 0]]
    )
    np.testing.assert_array_equal(
        inputs["decoder_token_ids"], [[1, 7, 0], [1, 8, 9], [0, 0, 0]]
    )
    np.testing.assert_array_equal(targets, [[7, 2, 0], [8, 9, 2], [0, 0, 0]])
    np.testing.assert_array_equal(
        sample_weight, [[1, 1, 0], [1, 1, 1], [0, 0, 0]]
    )
    assert {array.dtype.name for array in inputs.values()} == {"int32"}
    assert (targets.dtype, sample_weight.dtype) == ("int32", "float32")


def test_leftovers_move_up():
    # With the end (1, 2), four times (2, 3) and (9, 8): the first is cheaper
    # beside the second than beside the third.
    lengths = [(1, 1), (2, 2), (2, 2), (2, 2), (2, 2), (9, 7)]
    dataset = BucketedDataset(
        *numbered(lengths), batch_size=2, num_buckets=2, shuffle=False
    )
    assert dataset.buckets == [(2, 3), (9, 8)]
    # Five rows fit the first bucket, which makes two batches; the fifth row
    # fills the batch of the second. The smallest and the largest come first.
    assert [rows_of(dataset[i]) for i in range(3)] == [
        [10, 11],
        [14, 15],
        [12, 13],
    ]
    assert [shapes_of(dataset[i]) for i in range(3)] == [(2, 3), (9, 8), (2, 3)]
    assert all(dataset[i][2].any(axis=1).all() for i in range(3))


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("rows", [1, 7, 64, 301])
def test_every_row_once_an_epoch(rows, shuffle):
    sources, targets = random_ids(rows)
    dataset = BucketedDataset(
        sources, targets, batch_size=8, shuffle=shuffle, seed=3
    )
    expected = sorted(zip(sources, targets))
    for _ in range(3):
        assert len(dataset) == -(-rows // 8)
        seen, empty = [], 0
        for inputs, batch_targets, weights in map(
            dataset.__getitem__, range(len(dataset))
        ):
            assert len(weights) == 8
            shape = inputs["encoder_token_ids"].shape[1], weights.shape[1]
            assert shape in dataset.buckets
            for ids, row, weight in zip(
                inputs["encoder_token_ids"], batch_targets, weights
            ):
                length = int(weight.sum())
                if length:
                    assert row[length - 1] == 2
                    seen.append(
                        (ids[ids > 0].tolist(), row[: length - 1].tolist())
                    )
                else:
                    assert not ids.any() and not row.any()
                    empty += 1
        assert sorted(seen) == expected
        assert empty == -rows % 8
        dataset.on_epoch_end()


def plan(dataset):
    return [rows_of(dataset[i]) for i in range(len(dataset))]


def numbered_dataset(**kwargs):
    generator = np.random.default_rng(1)
    lengths = generator.integers(1, 12, (40, 2)).tolist()
    return BucketedDataset(*numbered(lengths), batch_size=4, **kwargs)


def test_shuffling_is_by_seed_and_epoch():
    first, again = numbered_dataset(seed=1), numbered_dataset(seed=1)
    other = numbered_dataset(seed=2)
    plans = []
    for epoch in range(3):
        assert first.epoch == epoch
        assert plan(first) == plan(again) != plan(other)
        plans.append(plan(first))
        for dataset in (first, again, other):
            dataset.on_epoch_end()
    assert plans[0] != plans[1] != plans[2] != plans[0]
    assert first[2][1].tolist() == first[2][1].tolist()


def test_seed_comes_from_the_global_one():
    keras.utils.set_random_seed(7)
    first = numbered_dataset()
    second = numbered_dataset()
    keras.utils.set_random_seed(7)
    assert plan(numbered_dataset()) == plan(first) != plan(second)


def test_without_shuffle_nothing_changes():
    dataset = numbered_dataset(shuffle=False)
    before = plan(dataset)
    dataset.on_epoch_end()
    assert plan(dataset) == before


@pytest.mark.parametrize("shuffle", [False, True])
def test_first_two_batches_differ_where_any_do(shuffle):
    generator = np.random.default_rng(2)
    for seed in range(60):
        high = generator.integers(1, [12, 12]) + 1
        rows = int(generator.integers(1, 40))
        lengths = generator.integers(1, high, (rows, 2)).tolist()
        dataset = BucketedDataset(
            *numbered(lengths),
            batch_size=int(generator.integers(1, 6)),
            num_buckets=int(generator.integers(1, 6)),
            shuffle=shuffle,
            seed=seed,
        )
        for _ in range(2):
            shapes = [shapes_of(dataset[i]) for i in range(len(dataset))]
            for side in zip(*shapes):
                if len(set(side)) > 1:
                    assert side[0] != side[1]
            dataset.on_epoch_end()


LONG = [(40, 10)] * 5 + [(60, 39)] * 3  # 51 and 100 tokens with the end


def costly(lengths, **options):
    """Whole batches, of 8 rows, of pairs of at most 22 tokens."""
    return BucketedDataset(
        *numbered(lengths),
        **{"batch_size": 8, "max_cost": 4000, "shuffle": False, **options},
    )


def test_long_pairs_come_in_fewer_rows_and_leave_the_others_alone():
    short = [(2, 1)] * 15 + [(5, 4)] * 5
    dataset = costly(short + LONG[:5], num_buckets=3)
    # 4000 / 8 rows is 22 squared and more; 4000 // 51**2 is one row.
    assert dataset.buckets == [(2, 2), (5, 5), (40, 11)]
    assert dataset.rows == [8, 8, 1]
    assert not dataset.left_out
    shapes = [shapes_of(dataset[i]) for i in range(len(dataset))]
    rows = [len(dataset[i][1]) for i in range(len(dataset))]
    assert sorted(zip(rows, shapes)) == [
        *[(1, (40, 11))] * 5,
        (8, (2, 2)),
        *[(8, (5, 5))] * 2,
    ]
    assert rows[0] != rows[1]  # what Keras looks at on TensorFlow
    seen = [row for i in range(len(dataset)) for row in rows_of(dataset[i])]
    assert sorted(seen) == list(range(10, 35))


@pytest.mark.parametrize("num_buckets", [1, 2, 5])
def test_no_batch_costs_more_than_it_may(num_buckets):
    generator = np.random.default_rng(5)
    lengths = np.ceil(generator.pareto(1.0, (400, 2)) * 3 + 0.1).astype(int)
    lengths = lengths[lengths.sum(axis=1) < 1000].tolist()
    dataset = costly(lengths, max_cost=10**6, num_buckets=num_buckets)
    assert len({*dataset.buckets}) == len(dataset.buckets) <= num_buckets
    assert dataset.rows == sorted(dataset.rows, reverse=True)
    seen = []
    for inputs, targets, weights in map(
        dataset.__getitem__, range(len(dataset))
    ):
        tokens = inputs["encoder_token_ids"].shape[1] + targets.shape[1]
        assert len(weights) * tokens**2 <= 10**6 or len(weights) == 1
        seen += rows_of((inputs, targets, weights))
    assert sorted(seen) == list(range(10, 10 + len(lengths)))


def test_what_is_too_long_is_left_out_with_a_warning():
    expected = (
        r"at most 63 tokens.* Received: 3 of 9 pairs with more, up to 100 "
        r"\(row 6\)\. .*`max_cost`\. They are left out"
    )
    with pytest.warns(UserWarning, match=expected):
        dataset = costly([(2, 1), *LONG])
    assert dataset.left_out == [6, 7, 8]
    assert dataset.buckets[-1] == (40, 11)
    seen = [row for i in range(len(dataset)) for row in rows_of(dataset[i])]
    assert sorted(seen) == list(range(10, 16))
    with pytest.raises(ValueError, match="Received: 3 of 3 pairs with more"):
        costly(LONG[5:])
    assert costly(LONG, max_cost=10**5).left_out == []


def test_one_long_line_costs_no_more_than_a_batch():
    lengths = [(20, 20)] * 300 + [(1500, 1500), (3000, 3000)]
    with pytest.warns(UserWarning, match="at most 4,096 tokens"):
        dataset = BucketedDataset(*numbered(lengths), batch_size=128)
    assert dataset.left_out == [301]
    assert dataset.buckets == [(20, 21), (1500, 1501)]
    assert dataset.rows == [128, 1]
    assert len(dataset) == 3 + 1


def test_budget_of_tokens():
    # With the end 4, 10 and 40 tokens a row: 25, 10 and 2 rows of 100 tokens,
    # of which multiples of 8 are 24, 8 and, as 2 is less than 8, 2.
    lengths = [(2, 1)] * 50 + [(5, 4)] * 20 + [(20, 19)] * 5
    dataset = BucketedDataset(
        *numbered(lengths), tokens_per_batch=100, num_buckets=3, shuffle=False
    )
    assert dataset.buckets == [(2, 2), (5, 5), (20, 20)]
    assert dataset.rows == [24, 8, 2]
    seen = [row for i in range(len(dataset)) for row in rows_of(dataset[i])]
    assert sorted(seen) == list(range(10, 85))
    # Batches of whole shapes: 3 of 24 rows, 3 of 8, 3 of 2.
    cells = 3 * 24 * 4 + 3 * 8 * 10 + 3 * 2 * 40
    tokens = 50 * 4 + 20 * 10 + 5 * 40
    assert dataset.statistics() == {
        "pairs": 75,
        "left_out": 0,
        "batches": 9,
        "shapes": 3,
        "tokens": pytest.approx(tokens / 9),
        "padding": pytest.approx(1 - tokens / cells),
    }


def test_budget_below_a_pair_makes_batches_of_one():
    dataset = BucketedDataset(
        *numbered([(8, 8), (9, 9)]), tokens_per_batch=10, num_buckets=1
    )
    assert dataset.rows == [1]


@pytest.mark.parametrize(
    "sizes", [{}, {"batch_size": 2, "tokens_per_batch": 9}]
)
def test_batch_size_or_budget(sizes):
    with pytest.raises(ValueError, match="Either `batch_size` or `tokens_per"):
        BucketedDataset([[4]], [[4]], **sizes)


def test_rows_in_one_array_make_the_same_batches():
    sources, targets = random_ids(60)
    options = {"batch_size": 8, "seed": 3}
    expected = BucketedDataset(sources, targets, **options)
    rows = TokenRows.from_rows(sources), TokenRows.from_rows(targets)
    dataset = BucketedDataset(*rows, **options)
    for i in range(len(expected)):
        for x, y in zip(*map(keras.tree.flatten, (dataset[i], expected[i]))):
            np.testing.assert_array_equal(x, y)
    for name in ("source", "target"):
        wrong = [TokenRows.from_rows([[4], [5]]) for _ in rows]
        wrong[name == "target"] = TokenRows.from_rows([[4], [5, 0]])
        with pytest.raises(ValueError, match=rf"{name}_token_ids\[1\] with"):
            BucketedDataset(*wrong, batch_size=1)


def test_continues_with_an_epoch():
    dataset = numbered_dataset(seed=1)
    dataset.on_epoch_end()
    dataset.on_epoch_end()
    assert plan(numbered_dataset(seed=1, epoch=2)) == plan(dataset)


def tiny_model():
    sources = keras.Input((None,), dtype="int32", name="encoder_token_ids")
    targets = keras.Input((None,), dtype="int32", name="decoder_token_ids")
    embed = keras.layers.Embedding(20, 4)
    memory = keras.layers.GlobalAveragePooling1D()(embed(sources))
    outputs = keras.layers.Dense(20)(
        keras.layers.Add()(
            [embed(targets), keras.layers.Reshape((1, 4))(memory)]
        )
    )
    model = keras.Model([sources, targets], outputs)
    model.compile(
        "sgd",
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        weighted_metrics=["accuracy"],
    )
    return model


class RecordedDataset(BucketedDataset):
    """Dataset that remembers the rows it gave, by epoch."""

    def __init__(self, *args, **kwargs):
        self.given = {}
        super().__init__(*args, **kwargs)

    def __getitem__(self, index):
        _, rows = self._batches[index]
        self.given.setdefault(self.epoch, []).extend(rows.tolist())
        return super().__getitem__(index)


@pytest.mark.parametrize("shuffle", [True, False])
def test_fit(shuffle):
    train = RecordedDataset(
        *random_ids(100), batch_size=8, num_buckets=3, shuffle=shuffle
    )
    validation = BucketedDataset(
        *random_ids(30, seed=1), batch_size=8, num_buckets=2, shuffle=False
    )
    assert len(train.buckets) == 3
    history = tiny_model().fit(
        train, validation_data=validation, epochs=3, verbose=0
    )
    assert np.isfinite(history.history["loss"]).all()
    assert np.isfinite(history.history["val_loss"]).all()
    # Keras looks at some batches, and ends an epoch, before it trains.
    del train.given[0]
    assert list(train.given) == [1, 2, 3]
    for rows in train.given.values():
        assert sorted(rows) == list(range(100))


def test_fit_on_one_shape():
    train = BucketedDataset(*random_ids(9), batch_size=16)
    history = tiny_model().fit(train, epochs=1, verbose=0)
    assert np.isfinite(history.history["loss"]).all()


def test_weights_count_each_token_and_end_once():
    sources, targets = random_ids(50)
    for batch_size in (4, 7):
        dataset = BucketedDataset(sources, targets, batch_size=batch_size)
        counted = sum(dataset[i][2].sum() for i in range(len(dataset)))
        assert counted == sum(len(ids) + 1 for ids in targets)


@pytest.mark.parametrize(
    ("sources", "targets", "batch_size", "received"),
    [
        ([[4]], [[4]], 0, "batch_size=0"),
        ([[4]], [[4]], 2.5, "batch_size=2.5"),
        ([[4]], [[4]], True, "batch_size=True"),
        ([[4]], [], 1, r"len\(source_token_ids\)=1, len\(target_token_ids\)=0"),
        ([], [], 1, r"len\(source_token_ids\)=0"),
        ([[4], [4, 0]], [[4], [4]], 1, r"source_token_ids\[1\] with the id 0"),
        ([[4]], [[4, 2]], 1, r"target_token_ids\[0\] with the id 2"),
    ],
)
def test_errors(sources, targets, batch_size, received):
    with pytest.raises(ValueError, match=f"Received: {received}"):
        BucketedDataset(sources, targets, batch_size=batch_size)


def test_ids_are_integers():
    BucketedDataset([np.array([4])], [[np.int32(7)]], batch_size=1)
    for ids in ([4.7], ["4"], np.array([4.0])):
        with pytest.raises(TypeError, match=r"Received: source_token_ids\[0\]"):
            BucketedDataset([ids], [[7]], batch_size=1)


@pytest.mark.parametrize("token_id", [9, 2**31, 2**40])
def test_ids_are_of_the_vocabulary(token_id):
    sides = {"source_token_ids": [[4], [8]], "target_token_ids": [[], [7]]}
    sizes = {"source_vocabulary_size": 9, "target_vocabulary_size": 8}
    BucketedDataset(**sides, batch_size=1, **sizes)
    for name in sides:
        wrong = {**sides, name: [[4], [5, token_id]]}
        expected = rf"`{name}\[1\]` must hold ids from 0 to .* id {token_id}\."
        with pytest.raises(ValueError, match=expected):
            BucketedDataset(**wrong, batch_size=1, **sizes)
        if token_id > 9:  # of no vocabulary at all
            with pytest.raises(ValueError, match=expected):
                BucketedDataset(**wrong, batch_size=1)
    with pytest.raises(ValueError, match="`source_vocabulary_size` must be"):
        BucketedDataset(**sides, batch_size=1, source_vocabulary_size=0)


def test_a_large_budget_makes_no_more_rows_than_there_are():
    rows = [[4] * (1 + index % 3) for index in range(20)]
    dataset = BucketedDataset(
        rows, rows, tokens_per_batch=10**12, num_buckets=2, max_cost=10**15
    )
    assert dataset.rows == [24, 24]
