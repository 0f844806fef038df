"""Layout of figures of attention scores. Lengths are in inches."""

import textwrap

DPI = 150
MOST_PIXELS = 30_000
MARGIN = 0.12
BAR_WIDTH = 0.14
BAR_LABELS = 0.6
LEAST_BAR, MOST_BAR = 1.2, 3.0
LEAST_TITLE = 6.0


def lay_out(figure, grid, bar, title, *, cell):
    """Set the size of the cells, and make room for all labels.

    Args:
        grid: List of rows, each a list of axes.
        bar, title: Axes of the color bar, and a text or `None`.
        cell: Float. Width and height of a cell.
    """
    renderer = figure.canvas.get_renderer()
    lefts, right = _columns(grid, cell, renderer)
    width = right + BAR_WIDTH + BAR_LABELS
    if title is not None:
        _wrap(title, max(LEAST_TITLE, width) - 2 * MARGIN, renderer)
    title_width, title_height = _extent(title, renderer)
    tops, bottom = _rows(grid, cell, renderer, title_height)
    height = min(max(LEAST_BAR, bottom - tops[0]), MOST_BAR)
    total_width = max(width, title_width + 2 * MARGIN)
    total_height = max(bottom, tops[0] + height) + MARGIN
    axes, boxes = [bar], [(right, tops[0], BAR_WIDTH, height)]
    for row, top in zip(grid, tops):
        for ax, left in zip(row, lefts):
            axes.append(ax)
            boxes.append((left, top, *_size(ax, cell)))
    boxes = [(x, total_height - y - h, w, h) for x, y, w, h in boxes]
    _apply(figure, axes, boxes, total_width, total_height)
    if title is not None:
        title.set_position((MARGIN / total_width, 1 - MARGIN / total_height))


def _wrap(title, width, renderer):
    """Break the lines of a title that are much wider than the figure."""
    text, actual = title.get_text(), _extent(title, renderer)[0]
    if actual > width:
        longest = max(map(len, text.splitlines()))
        fit = max(1, int(longest * width / actual))  # characters
        lines = [textwrap.fill(line, fit) for line in text.splitlines()]
        title.set_text("\n".join(lines))


def _columns(grid, cell, renderer):
    """Left end of each column, and right end of the last one."""
    lefts, x = [], MARGIN
    for i in range(max(map(len, grid))):
        column = [row[i] for row in grid if i < len(row)]
        width = max(_size(ax, cell)[0] for ax in column)
        heading = max(_extent(ax.title, renderer)[0] for ax in column)
        beyond = max(0, heading - width) / 2  # on either side
        x += max([beyond, *(_margins(ax, renderer)[0] for ax in column)])
        lefts.append(x)
        x += width + beyond + 2 * MARGIN
    return lefts, x


def _rows(grid, cell, renderer, y):
    """Top of each row, below `y`, and bottom of the last one."""
    tops = []
    for row in grid:
        y += MARGIN + max(_margins(ax, renderer)[1] for ax in row)
        tops.append(y)
        y += max(_size(ax, cell)[1] for ax in row)
    return tops, y


def _apply(figure, axes, boxes, total_width, total_height):
    figure.set_size_inches(total_width, total_height)
    figure.set_dpi(min(DPI, MOST_PIXELS / max(total_width, total_height)))
    for ax, (left, bottom, width, height) in zip(axes, boxes):
        ax.set_position(
            (
                left / total_width,
                bottom / total_height,
                width / total_width,
                height / total_height,
            )
        )


def _size(axes, cell):
    """Width and height of a panel."""
    return len(axes.get_xticks()) * cell, len(axes.get_yticks()) * cell


def _margins(axes, renderer):
    """Width of the labels left of a panel, and height of those above."""
    outer = axes.get_tightbbox(renderer)
    inner = axes.get_window_extent(renderer)
    return (inner.x0 - outer.x0) / DPI, (outer.y1 - inner.y1) / DPI


def _extent(text, renderer):
    """Width of a text, and its height with a margin; 0 without a text."""
    if text is None:
        return 0, 0
    extent = text.get_window_extent(renderer)
    return extent.width / DPI, extent.height / DPI + 1.5 * MARGIN
