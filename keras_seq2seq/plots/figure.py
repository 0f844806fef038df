"""What an attention picture is made of."""

from keras_seq2seq.plots.labels import readable
from keras_seq2seq.plots.labels import shown
from keras_seq2seq.plots.layout import DPI
from keras_seq2seq.plots.layout import lay_out

COLOURS = "Blues"
LARGEST_CELL, SMALLEST_CELL = 0.34, 0.15  # inches
LARGEST_FONT = 11  # points


def draw(source_tokens, grid, *, path, title):
    """Figure with one panel for each of a grid.

    What would be written twice is left out: source tokens below the first row,
    and target tokens that stand on the left already.

    Args:
        source_tokens: List of strings.
        grid: List of rows, each a list of panels, (target tokens, scores,
            heading or `None`).
        path: Path of a file to write, or `None`.
        title: String or `None`.
    """
    figure, renderer = _empty_figure()
    panels = [panel for row in grid for panel in row]
    longest = max(len(source_tokens), *(len(panel[0]) for panel in panels))
    cell = min(LARGEST_CELL, max(SMALLEST_CELL, 12 / longest))
    most = max(float(scores.max()) for _, scores, _ in panels)
    limit = most if most > 0 else 1.0
    axes = [
        [_panel(figure, source_tokens, panel, cell, limit) for panel in row]
        for row in grid
    ]
    _without_repetition(axes, grid)
    bar = _colour_bar(figure, axes[0][0])
    if title:
        (title,), families = shown([title])
        title = figure.text(0, 1, title, family=families, size=12)
        title.set(verticalalignment="top", parse_math=False)
    lay_out(figure, axes, bar, title or None, cell=cell, renderer=renderer)
    if path is not None:
        figure.savefig(path, dpi=figure.dpi)
    return figure


def _empty_figure():
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(
            f"Plots need matplotlib. Received: {error}. "
            "pip install 'keras-seq2seq[plots]'"
        ) from error
    figure = Figure(dpi=DPI, facecolor="white")
    return figure, FigureCanvasAgg(figure).get_renderer()


def _panel(figure, source_tokens, panel, cell, most):
    """Axes of one alignment, not yet in place."""
    target_tokens, scores, heading = panel
    axes = figure.add_axes((0, 0, 1, 1), label=f"panel {len(figure.axes)}")
    axes.pcolormesh(
        scores, cmap=COLOURS, vmin=0, vmax=most, edgecolors="0.9", lw=0.4
    )
    axes.invert_yaxis()
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.tick_params(length=0, pad=3)
    axes.spines[:].set_color("0.6")
    size = min(LARGEST_FONT, 72 * cell * 0.55)
    labels = _label(axes.set_xticks, source_tokens, size)
    if max(map(len, labels)) * size * 0.7 > 72 * cell:
        axes.tick_params("x", rotation=90)
    _label(axes.set_yticks, target_tokens, size)
    axes.set_xlabel("source", size=9, color="0.35")
    axes.set_ylabel("output", size=9, color="0.35")
    if heading is not None:
        axes.set_title(heading, size=10)
    return axes


def _without_repetition(axes, grid):
    for number, (row, panels) in enumerate(zip(axes, grid)):
        for i, ax in enumerate(row):
            if number:
                ax.set_xlabel("")
                ax.tick_params("x", labeltop=False)
            if i and panels[i][0] == panels[i - 1][0]:
                ax.set_ylabel("")
                ax.tick_params("y", labelleft=False)


def _label(set_ticks, tokens, size):
    """One label in the middle of each cell."""
    labels, families = shown([readable(token) for token in tokens])
    middles = [place + 0.5 for place in range(len(labels))]
    set_ticks(middles, labels, family=families, size=size, parse_math=False)
    return labels


def _colour_bar(figure, axes):
    bar = figure.add_axes((0, 0, 1, 1), label="colour bar")
    figure.colorbar(axes.collections[0], cax=bar)
    bar.set_ylabel("attention score", size=9)
    bar.tick_params(labelsize=8, length=2)
    return bar
