"""Batches for the batteries, where theirs would not do."""

from keras_seq2seq.testing.batches import normal

# Of a score whose query and value need not be of one width.
UNEQUAL = {"query": normal(2, 3, 5), "value": normal(2, 5, 7, seed=1)}
