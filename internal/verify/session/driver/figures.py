"""Keeps the Matplotlib figures that a block leaves open or shows.

The driver loads this file once pyplot has been imported. As in a notebook,
show() and the end of a block take all open figures and close them, so that
what follows draws on new ones. Nothing newer than Python 3.8.
"""

import binascii
import functools
import io
import math
import os
import warnings

# MOST_PIXELS limits the sides of a picture: a label far outside of a figure makes it huge.
MOST_BYTES, MOST_PIXELS = 1 << 20, 2000


class Figures:
    def __init__(self, session, pyplot):
        self.session, self.pyplot = session, pyplot
        self.replace_show()

    def replace_show(self):
        show = self.pyplot.show

        @functools.wraps(show)
        def keep(*args, **kwargs):
            if self.pyplot.get_backend().lower() != "agg":
                return show(*args, **kwargs)  # a backend of the author's choice
            self.keep()

        self.pyplot.show = keep
        # Figure.show needs no warning either: the figure will be kept.
        warnings.filterwarnings("ignore", "Matplotlib is currently using agg|FigureCanvasAgg is non-interactive")

    def keep(self):
        if os.getpid() != self.session.pid:
            return  # a child that the author forked
        displays = self.session.rich()
        try:
            for number in self.pyplot.get_fignums():
                figure = self.pyplot.figure(number)
                drawn = figure.axes or figure.lines or figure.images or figure.texts
                if not drawn or displays.full():
                    continue
                data = png(figure)
                if data and displays.drawn.get(id(figure)) != data:
                    displays.add("png", '"%s"' % binascii.b2a_base64(data, newline=False).decode())
        finally:
            self.pyplot.close("all")


def png(figure):
    """The figure with everything around it, as large as the limits allow."""
    figure.set_dpi(bounded(figure.dpi, figure.get_size_inches()))
    box = figure.bbox_inches
    if hasattr(figure.canvas, "get_renderer"):
        figure.canvas.draw()  # settles the layout
        around = figure.get_tightbbox(figure.canvas.get_renderer())
        if around and all(map(math.isfinite, around.extents)) and min(around.size) > 0:
            box = around.padded(0.1)
    dpi = bounded(figure.dpi, box.size)
    for _ in range(4):
        buffer = io.BytesIO()
        # Without the program's version the same figure is the same file.
        figure.savefig(buffer, format="png", dpi=dpi, bbox_inches=box, metadata={"Software": None})
        data = buffer.getvalue()
        if len(data) <= MOST_BYTES:
            return data
        dpi *= 0.9 * math.sqrt(MOST_BYTES / len(data))
    return None


def bounded(dpi, inches):
    return min(dpi, MOST_PIXELS / max(inches))
