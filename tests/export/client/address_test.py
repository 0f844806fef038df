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


@pytest.mark.parametrize(
    "url, host, model",
    [
        ("http://[::1]/m", "[::1]:8501", "m"),
        ("http://A:/m", "a:8501", "m"),
        ("grpc://bücher/na%C3%AFve%20m", "xn--bcher-kva:8500", "naïve m"),
    ],
)
def test_hosts_and_names_of_many_kinds(url, host, model):
    assert Address.of(url) == Address(url.partition(":")[0], host, model, None)


@pytest.mark.parametrize(
    "url",
    [
        *("http://a:b/m", "http://a:70000/m", "http://a:0/m", "http://[::1/m"),
        *("http://u:p@a/m", "http://a/m?x=1", "http://a/m#x", "http:///m"),
        *("http://a /m", "http://a/m\n", "http://a/m/99999999999999999999"),
        *("http://" + "a" * 64 + "/m", "http://a..b/m", "http://a/%ff"),
    ],
)
def test_malformed_addresses(url):
    with pytest.raises(ValueError, match="`url` must name.*Received: url="):
        Address.of(url)
