from keras_seq2seq.cli.options import preset_settings


def test_a_preset_gets_the_settings_that_it_has():
    settings = {"units": 4, "hidden_dim": 4, "embedding_dim": 3, "dropout": 0}
    recurrent = preset_settings("luong_2015", **settings)
    assert recurrent == {"units": 4, "embedding_dim": 3, "dropout": 0}
    former = preset_settings("transformer_2017_small", **settings)
    assert former == {"hidden_dim": 4, "dropout": 0}
