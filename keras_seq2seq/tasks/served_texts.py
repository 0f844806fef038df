import numpy as np

from keras_seq2seq.tasks.served_input import ServedInput
from keras_seq2seq.tasks.served_source import ServedSource


class ServedTexts(ServedSource):
    """Texts of a `TextTask`: requests contain strings. An example is a string.

    Args:
        task, max_length, asset_folder: As for `ServedSource`.
    """

    inputs = {
        "text": ServedInput(
            "string", meaning="UTF-8; invalid bytes read as U+FFFD"
        )
    }

    def __init__(self, task, max_length, asset_folder):
        super().__init__(task, max_length, asset_folder)
        self.tokenizer = task.source_tokenizer
        self.graph = self.tokenizer.graph(asset_folder)

    def read(self, inputs):
        token_ids, lengths = self.graph.encode(inputs["text"], self.max_length)
        return {self.task.source.input_name: token_ids}, lengths

    def words(self, inputs):
        written = getattr(self.graph, "written", self.graph.tokenize)
        return written(inputs["text"], self.max_length)

    def examples(self, sources):
        return self.task.check_sources(sources, "examples")

    def made_up(self, length):
        tokens = self.tokenizer.vocabulary.tokens or ("?",)
        return self.tokenizer.detokenize(
            tokens[place % len(tokens)] for place in range(length)
        )

    def length(self, example):
        return len(self.tokenizer.tokenize(example))

    def request(self, examples):
        return {"text": np.array(examples, object)}
