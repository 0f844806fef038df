"""Graphs of tokenizers in a SavedModel: no files, and the same ids."""

import pytest

from keras_seq2seq.text import BytePairTokenizer
from keras_seq2seq.text import ByteTokenizer
from keras_seq2seq.text import SubwordTokenizer
from keras_seq2seq.text import WordTokenizer
from tests.helpers.byte_pairs import trained
from tests.helpers.subwords import ODD
from tests.helpers.subwords import SENTENCES
from tests.helpers.texts import real_texts

tf = pytest.importorskip("tensorflow")
TEXTS = [*SENTENCES, *ODD, "\ufb01 \u2167", "it's\n'd"]


def unigram(folder):
    return SubwordTokenizer.from_texts(
        real_texts(400),
        vocabulary_size=700,
        model_type="unigram",
        normalization="nmt_nfkc",
    )


def byte_pairs(folder):
    path = folder / "tokenizer.json"
    trained(True, 1500).save(str(path))
    return BytePairTokenizer.from_file(path)


def words(folder):
    return WordTokenizer.from_texts(real_texts(400), lowercase=True)


@pytest.mark.parametrize(
    "make", [unigram, byte_pairs, words, lambda folder: ByteTokenizer()]
)
def test_ids_and_texts_of_a_saved_graph(make, tmp_path):
    tokenizer = make(tmp_path)
    module = tokenizer.graph("unused")

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def there_and_back(text):
        ids, lengths = module.encode(text, 50)
        return {"ids": ids, "text": module.decode(ids), "lengths": lengths}

    folder = tmp_path / "saved"
    tf.saved_model.save(module, str(folder), signatures=there_and_back)
    assert not [*(folder / "assets").iterdir()]
    serve = tf.saved_model.load(str(folder)).signatures["serving_default"]
    found = serve(tf.constant([text.encode() for text in TEXTS]))
    for place, text in enumerate(TEXTS):
        ids = tokenizer.encode(text)[:50]
        length = int(found["lengths"][place])
        assert found["ids"][place].numpy()[:length].tolist() == ids
        back = found["text"][place].numpy().decode()
        assert back == tokenizer.decode(ids)
