from keras_seq2seq.layers.attention.additive_score import (
    AdditiveScore as AdditiveScore,
)
from keras_seq2seq.layers.attention.attention_mechanism import (
    AttentionMechanism as AttentionMechanism,
)
from keras_seq2seq.layers.attention.attention_normalizer import (
    AttentionNormalizer as AttentionNormalizer,
)
from keras_seq2seq.layers.attention.attention_score import (
    AttentionScore as AttentionScore,
)
from keras_seq2seq.layers.attention.bilinear_score import (
    BilinearScore as BilinearScore,
)
from keras_seq2seq.layers.attention.concat_score import (
    ConcatScore as ConcatScore,
)
from keras_seq2seq.layers.attention.coverage_score import (
    CoverageScore as CoverageScore,
)
from keras_seq2seq.layers.attention.dot_product_score import (
    DotProductScore as DotProductScore,
)
from keras_seq2seq.layers.attention.hard_normalizer import (
    HardNormalizer as HardNormalizer,
)
from keras_seq2seq.layers.attention.location_aware_score import (
    LocationAwareScore as LocationAwareScore,
)
from keras_seq2seq.layers.attention.monotonic_normalizer import (
    MonotonicNormalizer as MonotonicNormalizer,
)
from keras_seq2seq.layers.attention.multi_head_mechanism import (
    MultiHeadMechanism as MultiHeadMechanism,
)
from keras_seq2seq.layers.attention.scaled_dot_product_score import (
    ScaledDotProductScore as ScaledDotProductScore,
)
from keras_seq2seq.layers.attention.softmax_normalizer import (
    SoftmaxNormalizer as SoftmaxNormalizer,
)
from keras_seq2seq.layers.attention.sparsemax_normalizer import (
    SparsemaxNormalizer as SparsemaxNormalizer,
)
