import pytest

from keras_seq2seq.export.client.address import Address


@pytest.mark.parametrize(
    "url, expected",
    [
        ("http://a/v1/models/m", ("http", "a:8501", "m", None)),
        ("http://a:80/v1/models/m:predict", ("http", "a:80", "m", None)),
        ("https://a/m/", ("https", "a:8501", "m", None)),
        ("http://a/v1/models/m/versions/3", ("http", "a:8501", "m", 3)),
        ("grpc://a/m", ("grpc", "a:8500", "m", None)),
        ("grpcs://a:1/m/3", ("grpcs", "a:1", "m", 3)),
    ],
)
def test_of(url, expected):
    assert Address.of(url) == Address(*expected)
