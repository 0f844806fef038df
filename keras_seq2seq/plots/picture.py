"""Imported only when a figure is created, as it needs matplotlib."""

import io

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure


class Picture(Figure):
    """Figure that notebooks display even without pyplot."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        FigureCanvasAgg(self)

    def _repr_png_(self):
        file = io.BytesIO()
        self.savefig(file, format="png", dpi=self.dpi)
        return file.getvalue()
