"""Shows values in their richest form: display(), and the last expression of a block.

The driver loads this file for the first value that knows such a form, or the first call
of display(). Nothing newer than Python 3.8.
"""

import binascii
import os
import sys

# The limits of the engine, see report/figure.go; one figure more than it keeps, so that it can say so.
MOST_FIGURES, MOST_PICTURE, MOST_TEXT, MOST_PIXELS = 9, 1 << 20, 256 << 10, 4096

# The forms that a page can show, the best first: name, method, MIME type, beginning.
FORMS = (
    ("svg", "_repr_svg_", "image/svg+xml", None),
    ("png", "_repr_png_", "image/png", b"\x89PNG\r\n\x1a\n"),
    ("jpeg", "_repr_jpeg_", "image/jpeg", b"\xff\xd8\xff"),
    ("html", "_repr_html_", "text/html", None),
    ("latex", "_repr_latex_", "text/latex", None),
)

ESCAPES = {code: "\\u%04x" % code for code in range(32)}
ESCAPES.update({ord('"'): '\\"', ord("\\"): "\\\\"})


class Displays:
    def __init__(self, session):
        self.session = session
        self.begin()

    def begin(self):
        """Begins a step. Its figures are kept to its end, as they may be updated or cleared."""
        self.shown = []  # the form of each, its data as JSON, and its display_id
        self.clearing = False  # before the next one
        self.drawn = {}  # by id: the Matplotlib figures that were displayed

    def end(self):
        if os.getpid() == self.session.pid:  # otherwise a child that the author forked
            for form, data, _ in self.shown[:MOST_FIGURES]:  # threads may have added more
                self.session.report("figure", **{form: data})
        self.begin()

    def full(self):
        return len(self.shown) >= MOST_FIGURES and not self.clearing

    def add(self, form, data, key=None):
        if self.clearing:
            self.shown, self.clearing = [], False
        for kept in self.shown:
            if key is not None and kept[2] == key:
                kept[:2] = form, data
                return
        if not self.full():
            self.shown.append([form, data, key])

    def value(self, value):
        """Adds the richest form of a value whose text is printed."""
        form, data = richest(value, bundle_of(value))
        if form:
            self.add(form, data)

    # What authors call, also by IPython's names.

    def display(self, *values, display_id=None, raw=False, clear=False, **ignored):
        if clear:
            self.clear_output(wait=True)
        if display_id is True:
            display_id = binascii.hexlify(os.urandom(8)).decode()
        for value in values:
            self.show(value, display_id, raw)
        return Handle(self, display_id) if display_id is not None else None

    def update_display(self, value, *, display_id, raw=False, **ignored):
        self.show(value, display_id, raw)

    def publish_display_data(self, data, metadata=None, *, transient=None, **ignored):
        self.show(data, (transient or {}).get("display_id"), True)

    def clear_output(self, wait=False):
        """Forgets what the step has displayed. What it has printed stays."""
        self.clearing = wait
        if not wait:
            self.shown = []

    def show(self, value, key, raw):
        bundle = value if raw and isinstance(value, dict) else bundle_of(value)
        form, data = self.drawing(value) or richest(None if raw else value, bundle)
        if form:
            self.add(form, data, key)
        if form not in ("svg", "png", "jpeg"):
            text = bundle.get("text/plain", "") if raw else text_of(value, bundle, form)
            if text:
                print(text)

    def drawing(self, value):
        """A figure of Matplotlib, which is not kept again at the end of the step if it stays as it is."""
        figure = sys.modules.get("matplotlib.figure")
        if figure and isinstance(value, figure.Figure):
            self.drawn[id(value)] = data = self.session.load("figures.py")["png"](value)
            return data and ("png", as_json(data))

    def replace_ipython(self):
        """Without a shell, IPython's functions would only print."""
        for module in "IPython.display", "IPython.core.display_functions", "IPython.core.display":
            module = sys.modules.get(module)
            for name in "display", "update_display", "publish_display_data", "clear_output":
                if hasattr(module, name):
                    setattr(module, name, getattr(self, name))


class Handle:
    """What display() returns for a display_id."""

    def __init__(self, displays, display_id):
        self.displays, self.display_id = displays, display_id

    def display(self, value, **options):
        self.displays.display(value, display_id=self.display_id, **options)

    update = display


def call(value, name, **options):
    """The result of a method of the author's, or None."""
    try:
        return getattr(value, name)(**options) if callable(getattr(type(value), name, None)) else None
    except Exception:
        return None


def bundle_of(value):
    bundle = call(value, "_repr_mimebundle_", include=None, exclude=None)
    if isinstance(bundle, tuple):
        bundle = bundle[0] if bundle else None
    return bundle if isinstance(bundle, dict) else {}


def richest(value, bundle):
    """The best form that a page can show, and its data as JSON."""
    for form, name, mime, begin in FORMS:
        for data in bundle.get(mime), None if value is None else call(value, name):
            if isinstance(data, tuple):  # with metadata
                data = data[0] if data else None
            data = picture(data, begin) if begin else markup(form, data)
            if data:
                return form, data
    return None, None


def picture(data, begin):
    if isinstance(data, str):
        try:
            data = binascii.a2b_base64(data)
        except ValueError:
            return None
    if not isinstance(data, (bytes, bytearray)) or not data.startswith(begin) or len(data) > MOST_PICTURE:
        return None
    if begin[1:4] == b"PNG" and max(int.from_bytes(data[i : i + 4], "big") for i in (16, 20)) > MOST_PIXELS:
        return None
    return as_json(data)


def as_json(data):
    return '"%s"' % binascii.b2a_base64(data, newline=False).decode()


def markup(form, text):
    if not isinstance(text, str) or not text.strip() or form == "svg" and "<svg" not in text:
        return None
    text = str.encode(text, "utf-8", "replace")
    if len(text) > (MOST_PICTURE if form == "svg" else MOST_TEXT):
        return None
    return '"%s"' % text.decode().translate(ESCAPES)


def text_of(value, bundle, form):
    """The text of a value, or None if that is only the name of its type and its address."""
    kind = type(value)
    if kind.__repr__ is object.__repr__ or kind.__module__.partition(".")[0] == "IPython":
        text = bundle.get("text/markdown") or call(value, "_repr_markdown_")
        if isinstance(text, tuple):
            text = text[0]
        if text or form:
            return text
    return repr(value)
