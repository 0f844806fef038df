from keras_seq2seq.layers.encoders.backbone_encoder import (
    BackboneEncoder as BackboneEncoder,
)
from keras_seq2seq.layers.encoders.encoder import Encoder as Encoder
from keras_seq2seq.layers.encoders.identity_encoder import (
    IdentityEncoder as IdentityEncoder,
)
from keras_seq2seq.layers.encoders.layer_mix import LayerMix as LayerMix
from keras_seq2seq.layers.encoders.pyramidal_encoder import (
    PyramidalEncoder as PyramidalEncoder,
)
from keras_seq2seq.layers.encoders.recurrent_encoder import (
    RecurrentEncoder as RecurrentEncoder,
)
from keras_seq2seq.layers.encoders.stacked_encoder import (
    StackedEncoder as StackedEncoder,
)
from keras_seq2seq.layers.encoders.transformer_encoder import (
    TransformerEncoder as TransformerEncoder,
)
