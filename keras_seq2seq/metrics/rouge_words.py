"""Words of texts in any script, for ROUGE."""

import re
import unicodedata

# Scripts without spaces between words: Thai, Lao, Burmese, Khmer, kana, Han.
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d"
    "\U00020000-\U0003ffff]"
)


def split_words(text):
    """Split a text into words in lower case; leave out everything else.

    A word is a run of letters and digits, with their combining marks. In
    scripts without spaces between words, each character is a word.

    Args:
        text: String.

    Returns:
        List of strings.
    """
    words, joined = [], False  # whether a letter would join the last word
    inside = False
    for character in text.lower():
        kind = unicodedata.category(character)[0]
        if kind == "M" and inside:
            words[-1] += character
            continue
        inside = kind in "LN"
        unspaced = UNSPACED.match(character) is not None
        if inside and joined and not unspaced:
            words[-1] += character
        elif inside:
            words.append(character)
        joined = inside and not unspaced
    return words
