from keras_seq2seq.models import InferenceModel
from keras_seq2seq.tasks import generation
from keras_seq2seq.tasks.hypotheses import create_hypotheses
from keras_seq2seq.tasks.row_inputs import row_inputs
from keras_seq2seq.tasks.streaming import generate_stream
from keras_seq2seq.tasks.trainable_task import TrainableTask
from keras_seq2seq.utils.checks import check_type


class GeneratingTask(TrainableTask):
    """Abstract task that generates texts with a search.

    Args:
        model, target_tokenizer, search: As for `Task`.
    """

    def generate(
        self,
        sources,
        *,
        search=None,
        n_best=None,
        prefixes=None,
        banned=None,
        seed=None,
        replace_unknown=False,
        return_attention_scores=False,
        verbose="auto",
        **inputs,
    ):
        """Generate a text for each source.

        Sources may be empty or have unknown tokens; results are always finite.
        There is a warning for more than a tenth of unknown tokens, and an error
        for a source with more than 16,384 positions.

        Args:
            sources: List of sources.
            search: `Search`, its name or config. Defaults to `None`, the task's
                search.
            n_best: Integer. Number of hypotheses per source. Defaults to
                `None`: the best one, as a string.
            prefixes: List of strings, one per source, or one string for all.
                The beginning of the generated text. Defaults to `None`.
            banned: List of lists of tokens, one per source, or one list for
                all. Tokens that must not be generated. Defaults to `None`.
            seed: Integer, or a list with one per source, for a search that
                samples. An integer is the seed of the first source, and each
                further source gets the next integer. Defaults to `None`: drawn
                from NumPy's global generator.
            replace_unknown: Boolean. Whether to replace each unknown token by
                the source word (or character) with the highest attention score.
                Defaults to `False`.
            return_attention_scores: Boolean, or `"by_layer"` for the scores of
                each layer and head, including self-attention. Defaults to
                `False`.
            verbose: Boolean or `"auto"`. Whether to show progress, with
                `"auto"` for long inputs.
            **inputs: Other data inputs of the search (see `SearchInput`): a
                value for all sources, or a list with one per source.

        Returns:
            List of strings. With `n_best` or `return_attention_scores`, a list
            of lists of `Hypothesis`, best first.
        """
        sources, tokenizer = self.check_sources(sources), self.target_tokenizer
        inputs |= {"prefixes": prefixes, "banned": banned, "seed": seed}
        search = generation.select_search(
            self.search if search is None else search, n_best, **inputs
        )
        words = [None] * len(sources)
        if check_type(replace_unknown, "replace_unknown", bool):
            words = self.source_words(sources)
        results = generation.run_search(
            self._inference(search, return_attention_scores or replace_unknown),
            self.encode_source(sources),
            self.batch_sources,
            row_inputs(search, len(sources), tokenizer, **inputs),
            verbose=verbose,
        )
        results = [
            create_hypotheses(
                row, self.source_labels(source), tokenizer, words=copied
            )
            for row, source, copied in zip(results, sources, words)
        ]
        if n_best is None and not return_attention_scores:
            return [hypotheses[0].text for hypotheses in results]
        return results

    def generate_stream(
        self, sources, *, window=4096, search=None, seed=None, **options
    ):
        """Generate a text for each source of a stream of any length.

        Sources are read window by window, so memory does not grow with their
        number, and results come in their order.

        Args:
            sources: Iterable of sources. `None` stands for a source that cannot
                be read.
            window: Integer. Number of sources that are sorted by length to make
                full batches of. Defaults to `4096`.
            search: As for `generate`.
            seed: Integer or `None`, as for `generate`.
            **options: Arguments of `generate` that are the same for all
                sources.

        Returns:
            Iterator of what `generate` returns for each source; of `None` for
            `None`, and for a source that is too long for the model.
        """
        return generate_stream(
            self, sources, window=window, search=search, seed=seed, **options
        )

    def _inference(self, search, return_attention_scores):
        """Get the `InferenceModel` of a search."""
        vocabulary = self.target_tokenizer.vocabulary
        return self.cached(
            (type(search), repr(search.get_config()), return_attention_scores),
            lambda: InferenceModel(
                self.model,
                search,
                start_token_id=vocabulary.start_token_id,
                end_token_id=vocabulary.end_token_id,
                return_attention_scores=return_attention_scores,
                return_log_probs=True,
            ),
        )
