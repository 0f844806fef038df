"""Checks of what a `Seq2Seq` is made of."""

from keras_seq2seq.losses import AttentionLoss
from keras_seq2seq.models.model_sources import TARGET
from keras_seq2seq.sources import TokenSource
from keras_seq2seq.utils import registry
from keras_seq2seq.utils.checks import check_token_id
from keras_seq2seq.utils.sizes import check_dimension


def target_of(target_vocabulary_size, pad_token_id):
    """The target: what the decoder reads, a step behind."""
    check_dimension(target_vocabulary_size, "target_vocabulary_size")
    check_token_id(pad_token_id, "pad_token_id", target_vocabulary_size)
    return TokenSource(target_vocabulary_size, pad_token_id, name=TARGET)


def checked_attention_loss(attention_loss):
    """The `AttentionLoss` of a name, config or instance; or `None`."""
    if attention_loss is None:
        return None
    return registry.get(attention_loss, AttentionLoss, "attention_loss")
