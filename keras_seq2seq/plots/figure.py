"""Draws figures of attention scores."""

from keras_seq2seq.plots.fonts import Lettering
from keras_seq2seq.plots.labels import is_wide
from keras_seq2seq.plots.labels import to_label
from keras_seq2seq.plots.layout import DPI
from keras_seq2seq.plots.layout import lay_out
from keras_seq2seq.utils.files import check_file_target
from keras_seq2seq.utils.files import new_file

COLOR_MAP = "Blues"
LARGEST_CELL, SMALLEST_CELL = 0.34, 0.15  # inches
LARGEST_FONT = 11  # points


def draw(grid, *, path, title, font):
    """Draw a figure with a grid of panels.

    Labels are left out if the panel above has the same columns, or the panel to
    the left the same rows.

    Args:
        grid: List of rows, each a list of `Panel`.
        path: Path of an image file to write, or `None`.
        title: String or `None`.
        font: As for `Lettering`.
    """
    figure = _create_figure()
    panels = [panel for row in grid for panel in row]
    lettering = _choose_fonts(panels, title, font)
    longest = max(max(panel.scores.shape) for panel in panels)
    cell = min(LARGEST_CELL, max(SMALLEST_CELL, 12 / longest))
    most = max(float(panel.scores.max()) for panel in panels)
    limit = most if most > 0 else 1.0
    axes = []
    for row in grid:
        axes.append([])
        for panel in row:
            label = f"panel {len(figure.axes)}"
            ax = figure.add_axes((0, 0, 1, 1), label=label)
            _fill(ax, panel, lettering, (cell, cell), limit)
            axes[-1].append(ax)
    _remove_repeated_labels(axes, grid)
    bar = _add_color_bar(figure, axes[0][0])
    if title:
        title = figure.text(0, 1, lettering.substitute(title), size=12)
        title.set(verticalalignment="top", parse_math=False)
        title.set_family(lettering.families)
    lay_out(figure, axes, bar, title or None, cell=cell)
    if path is not None:
        _save(figure, path, dpi=figure.dpi)
    return figure


def draw_on(ax, panel, *, path, title, font):
    """Draw a panel on the axes `ax`. Other arguments as for `draw`."""
    _check_axes(ax)
    lettering = _choose_fonts([panel], title, font)
    box, dpi = ax.get_window_extent(), ax.figure.dpi
    rows, columns = panel.scores.shape
    cell = box.width / columns / dpi, box.height / rows / dpi
    # One color scale for all axes of a figure.
    limit = max(1.0, float(panel.scores.max()))
    _fill(ax, panel, lettering, cell, limit)
    if title:
        title = ax.set_title(lettering.substitute(title), parse_math=False)
        title.set_family(lettering.families)
    if path is not None:
        _save(ax.figure, path)
    return ax


def _save(figure, path, **options):
    """Write a picture; an earlier one stays until the new one is complete."""
    path = check_file_target(path)
    kind = path.suffix.removeprefix(".").lower() or None
    with new_file(path, mode="wb") as file:
        figure.savefig(file, format=kind, **options)


def _check_axes(ax):
    if not hasattr(ax, "pcolormesh"):
        raise TypeError(
            "`ax` must be matplotlib axes. Received: ax of type "
            f"`{type(ax).__name__}`. Create them with `figure.add_subplot()`."
        )


def _create_figure():
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise ImportError(
            f"Plots need matplotlib. Received: {error}. "
            "pip install 'keras-seq2seq[plots]'"
        ) from error
    from keras_seq2seq.plots.picture import Picture

    return Picture(dpi=DPI, facecolor="white")


def _choose_fonts(panels, title, font):
    """Choose fonts for all texts of a figure."""
    texts = [title or "", *(panel.heading or "" for panel in panels)]
    for panel in panels:
        texts += map(to_label, [*panel.rows, *panel.columns])
    return Lettering(texts, font)


def _fill(ax, panel, lettering, cell, most):
    """Draw a panel; `cell` is the width and height of a cell in inches."""
    ax.pcolormesh(
        panel.scores,
        cmap=COLOR_MAP,
        vmin=0,
        vmax=most,
        edgecolors="0.9",
        lw=0.4,
    )
    ax.invert_yaxis()
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("top")
    ax.tick_params(length=0, pad=3)
    ax.spines[:].set_color("0.6")
    size = min(LARGEST_FONT, 72 * min(cell) * 0.55)
    columns, rows = (
        [lettering.substitute(to_label(token)) for token in tokens]
        for tokens in (panel.columns, panel.rows)
    )
    _label(ax.set_xticks, columns, lettering, size)
    _label(ax.set_yticks, rows, lettering, size)
    labels = ax.get_xticklabels()
    widest = max(label.get_window_extent().width for label in labels)
    if widest > 0.9 * cell[0] * ax.figure.dpi:
        _turn(ax, columns, lettering, size)
    ax.set_xlabel(panel.across, size=9, color="0.35")
    ax.set_ylabel(panel.down, size=9, color="0.35")
    if panel.heading is not None:
        heading = ax.set_title(lettering.substitute(panel.heading), size=10)
        heading.set(family=lettering.families, parse_math=False)


def _turn(ax, labels, lettering, size):
    """Turn the labels of columns; Han, kana and Hangul run downward instead."""
    stacked = ["\n".join(x) if is_wide(x) else x for x in labels]
    _label(ax.set_xticks, stacked, lettering, size)
    for label, text in zip(ax.get_xticklabels(), labels):
        label.set(rotation=0 if is_wide(text) else 90, linespacing=1)


def _label(set_ticks, labels, lettering, size):
    """Set one label in the middle of each cell."""
    set_ticks(
        [index + 0.5 for index in range(len(labels))],
        labels,
        family=lettering.families,
        size=size,
        parse_math=False,
    )


def _remove_repeated_labels(axes, grid):
    for number, (row, panels) in enumerate(zip(axes, grid)):
        for i, (ax, panel) in enumerate(zip(row, panels)):
            above = grid[number - 1][i : i + 1] if number else []
            if above and _same_columns(panel, *above):
                ax.set_xlabel("")
                ax.tick_params("x", labeltop=False)
            if i and _same_rows(panel, panels[i - 1]):
                ax.set_ylabel("")
                ax.tick_params("y", labelleft=False)


def _same_columns(a, b):
    return (a.columns, a.across) == (b.columns, b.across)


def _same_rows(a, b):
    return (a.rows, a.down) == (b.rows, b.down)


def _add_color_bar(figure, ax):
    bar = figure.add_axes((0, 0, 1, 1), label="color bar")
    figure.colorbar(ax.collections[0], cax=bar)
    bar.set_ylabel("attention score", size=9)
    bar.tick_params(labelsize=8, length=2)
    return bar
