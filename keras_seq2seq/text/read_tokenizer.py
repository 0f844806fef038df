"""A tokenizer of a file, whichever kind it is."""

from keras_seq2seq.text.byte_pair_tokenizer import BytePairTokenizer
from keras_seq2seq.text.subword_tokenizer import SubwordTokenizer
from keras_seq2seq.text.tokenizer import Tokenizer
from keras_seq2seq.utils.files import check_regular_file


def read_tokenizer(path) -> Tokenizer:
    """Read a tokenizer from a file of another library.

    Args:
        path: Path of a `tokenizer.json` of byte-level BPE, or of a
            SentencePiece model, whose name ends otherwise.

    Returns:
        `BytePairTokenizer` or `SubwordTokenizer`.

    Example:

    ```python
    tokenizer = k2s.text.read_tokenizer("spm.model")
    ```
    """
    path = check_regular_file(path, "path")
    if path.suffix == ".json":
        return BytePairTokenizer.from_file(path)
    return SubwordTokenizer(path)
