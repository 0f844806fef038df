import pytest

from keras_seq2seq.text import to_utf8
from keras_seq2seq.text.utf8 import replace_surrogates


def test_surrogates_become_the_replacement_character():
    assert replace_surrogates("a\ud800b\udfff") == "a\ufffdb\ufffd"
    assert replace_surrogates("\ud83d\ude00") == "\ufffd\ufffd"
    assert replace_surrogates("\ud7ff\ue000") == "\ud7ff\ue000"


def test_bytes():
    assert to_utf8("aé\0") == b"a\xc3\xa9\0"
    assert to_utf8("\U0001f600") == b"\xf0\x9f\x98\x80"
    assert to_utf8("\udc00") == b"\xef\xbf\xbd"


@pytest.mark.parametrize(
    ("value", "kind"), [(None, "NoneType"), (3, "int"), (b"a", "bytes")]
)
def test_errors(value, kind):
    with pytest.raises(TypeError, match=rf"`text`.*Received: text.*{kind}"):
        to_utf8(value)
