import io

import pytest

from keras_seq2seq.utils.lines import text_lines


def lines(written):
    return list(text_lines(io.BytesIO(written), "x.txt", "`path`"))


def test_a_newline_ends_a_line():
    assert lines(b"") == []
    assert lines(b"a") == [(1, "a")]
    assert lines(b"\n\nb\n") == [(1, ""), (2, ""), (3, "b")]


def test_one_carriage_return_goes_with_it():
    assert lines(b"a\r\nb\r\r\nc\rd\ne\r") == [
        (1, "a"),
        (2, "b\r"),
        (3, "c\rd"),
        (4, "e"),
    ]


def test_other_ends_are_text():
    text = "a\x0bb\x0cc\x1cd\x85e\u2028f\x00g"
    assert lines(text.encode()) == [(1, text)]


def test_a_byte_order_mark_is_skipped_in_front_alone():
    mark = b"\xef\xbb\xbf"
    assert lines(mark + b"a\n" + mark) == [(1, "a"), (2, "\ufeff")]


def test_other_bytes():
    with pytest.raises(ValueError, match="x.txt, line 2, .* byte 1 .*latin1 "):
        lines(b"a\nb\xe9\n")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_what_says_that_it_is_utf16(encoding):
    mark = "" if encoding == "utf-16" else "\ufeff"  # Python writes its own
    written = (mark + "a\tb\nc\td\n").encode(encoding)
    with pytest.raises(ValueError, match="line 1, .*`iconv -f utf-16 -t utf-8"):
        lines(written)
