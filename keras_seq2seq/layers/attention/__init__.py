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
from keras_seq2seq.layers.attention.softmax_normalizer import (
    SoftmaxNormalizer as SoftmaxNormalizer,
)
