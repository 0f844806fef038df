"""Where everything goes in an attention picture. Lengths are in inches."""

DPI = 150
MOST_PIXELS = 30_000
MARGIN = 0.12
BAR_WIDTH = 0.14
BAR_LABELS = 0.6
LEAST_BAR, MOST_BAR = 1.2, 3.0


def lay_out(figure, axes, bar, title, *, cell, renderer):
    """Give each cell its size, and every label the room that it takes."""
    sizes = [_size(ax, cell) for ax in axes]
    margins = [_margins(ax, renderer) for ax in axes]
    title_width, title_height = _extent(title, renderer)
    top = title_height + max(above for _, above in margins) + MARGIN
    tall = max(LEAST_BAR, *(height for _, height in sizes))
    total_height = top + tall + MARGIN
    boxes, x = [], MARGIN
    for (width, height), (left, _) in zip(sizes, margins):
        x += left
        boxes.append((x, total_height - top - height, width, height))
        x += width + 2 * MARGIN
    height = min(tall, MOST_BAR)
    boxes.append((x, total_height - top - height, BAR_WIDTH, height))
    total_width = max(x + BAR_WIDTH + BAR_LABELS, title_width + 2 * MARGIN)
    _apply(figure, [*axes, bar], boxes, total_width, total_height)
    if title is not None:
        title.set_position((MARGIN / total_width, 1 - MARGIN / total_height))


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
    """Room that labels take to the left of a panel and above it."""
    outer = axes.get_tightbbox(renderer)
    inner = axes.get_window_extent(renderer)
    return (inner.x0 - outer.x0) / DPI, (outer.y1 - inner.y1) / DPI


def _extent(text, renderer):
    """Width of a text, and its height with a margin; nothing for none."""
    if text is None:
        return 0, 0
    extent = text.get_window_extent(renderer)
    return extent.width / DPI, extent.height / DPI + 1.5 * MARGIN
