"""The smallest settings of the presets for two cores."""

RECURRENT = {"units": 4, "embedding_dim": 3}
TRANSFORMER = {
    "hidden_dim": 4,
    "num_layers": 2,
    "num_heads": 2,
    "intermediate_dim": 6,
}
TINY = {
    "sutskever_2014_small": RECURRENT,
    "cho_2014_small": RECURRENT,
    "bahdanau_2015_small": RECURRENT,
    "luong_2015_small": RECURRENT,
    "chorowski_2015_small": RECURRENT,
    "gnmt_2016_small": RECURRENT,
    "raffel_2017_small": RECURRENT,
    "zaremba_sutskever_2014_small": RECURRENT,
    "transformer_2017_small": TRANSFORMER,
    "liu_2018_small": TRANSFORMER,
}
