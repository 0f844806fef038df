"""Imported where a figure is made, not before: it needs matplotlib."""

import io

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure


class Picture(Figure):
    """Figure that a notebook shows, whether pyplot is there or not."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        FigureCanvasAgg(self)

    def _repr_png_(self):
        file = io.BytesIO()
        self.savefig(file, format="png", dpi=self.dpi)
        return file.getvalue()
