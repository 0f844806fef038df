"""Pure functions of tensors."""

from keras_seq2seq.ops.attention import masked_softmax as masked_softmax
from keras_seq2seq.ops.attention import weighted_sum as weighted_sum
from keras_seq2seq.ops.axes import ensure_axes as ensure_axes
from keras_seq2seq.ops.beams import by_row as by_row
from keras_seq2seq.ops.beams import flatten_beams as flatten_beams
from keras_seq2seq.ops.beams import gather_beams as gather_beams
from keras_seq2seq.ops.beams import repeat_rows as repeat_rows
from keras_seq2seq.ops.beams import reshape_like as reshape_like
from keras_seq2seq.ops.beams import row_count as row_count
from keras_seq2seq.ops.beams import select_rows as select_rows
from keras_seq2seq.ops.beams import states_like as states_like
from keras_seq2seq.ops.beams import take_rows as take_rows
from keras_seq2seq.ops.best import top_k as top_k
from keras_seq2seq.ops.filters import keep_min_p as keep_min_p
from keras_seq2seq.ops.filters import keep_top_k as keep_top_k
from keras_seq2seq.ops.filters import keep_top_p as keep_top_p
from keras_seq2seq.ops.hard import gumbel as gumbel
from keras_seq2seq.ops.hard import hard_weights as hard_weights
from keras_seq2seq.ops.masking import causal_mask as causal_mask
from keras_seq2seq.ops.masking import joint_mask as joint_mask
from keras_seq2seq.ops.masking import last_real as last_real
from keras_seq2seq.ops.masking import length_mask as length_mask
from keras_seq2seq.ops.masking import masked_mean as masked_mean
from keras_seq2seq.ops.masking import over_queries as over_queries
from keras_seq2seq.ops.masking import padding_mask as padding_mask
from keras_seq2seq.ops.masking import token_weights as token_weights
from keras_seq2seq.ops.masking import vocabulary_mask as vocabulary_mask
from keras_seq2seq.ops.masking import without_mask as without_mask
from keras_seq2seq.ops.monotonic import monotonic_hard as monotonic_hard
from keras_seq2seq.ops.monotonic import monotonic_parallel as monotonic_parallel
from keras_seq2seq.ops.monotonic import (
    monotonic_recursive as monotonic_recursive,
)
from keras_seq2seq.ops.products import on_rows as on_rows
from keras_seq2seq.ops.products import product as product
from keras_seq2seq.ops.random import counter_gumbel as counter_gumbel
from keras_seq2seq.ops.random import counter_hash as counter_hash
from keras_seq2seq.ops.random import counter_uniform as counter_uniform
from keras_seq2seq.ops.sparsemax import masked_sparsemax as masked_sparsemax
from keras_seq2seq.ops.writing import write as write
from keras_seq2seq.ops.writing import write_time as write_time
