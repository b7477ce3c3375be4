"""Reports the error of a block: on stderr, and to the engine.

The driver loads this file for the first exception. Nothing newer than Python 3.8.
"""

import sys

# The files of our code, which no traceback shows.
OURS = ("driver.py", "<gpudocs display.py>", "<gpudocs errors.py>", "<gpudocs figures.py>", "<gpudocs notebook.py>")


class Errors:
    def __init__(self, path):
        self.path = path  # where Python's own modules are

    def reply(self, e, file):
        if isinstance(e, SystemExit):
            status = exit_status(e.code)
            return {"exit": status, "line": fail_line(e, file) if status else 0}
        e.__traceback__ = without_driver(e.__traceback__)
        self.show(e)
        # Cut, because the engine reads a reply only up to a limit.
        return {"exit": 1, "line": fail_line(e, file), "exception": quoted(self.name(e)[:4096])}

    def show(self, e):
        hook = sys.excepthook
        if hook is sys.__excepthook__:
            hook = self.print  # older built-in hooks ignore linecache
        try:
            hook(type(e), e, e.__traceback__)
        except BaseException:  # the author's own hook, or own stream
            self.print(type(e), e, e.__traceback__, sys.__stderr__)

    def print(self, kind, e, tb, file=None):
        traceback = self.traceback()
        if traceback:
            traceback.print_exception(kind, e, tb, file=file)
        else:
            sys.__excepthook__(kind, e, tb)

    def name(self, e):
        """The line that ends a traceback, without the place a SyntaxError adds."""
        traceback = self.traceback()
        if isinstance(e, SyntaxError):
            return "%s: %s" % (type(e).__name__, e.msg)
        if not traceback:
            module = type(e).__module__
            prefix = "" if module in ("__main__", "builtins") else module + "."
            return "%s%s: %s" % (prefix, type(e).__qualname__, e)
        return "".join(traceback.format_exception_only(type(e), e)).rstrip("\n")

    def traceback(self):
        """The module, or None if the author's code keeps it from loading.

        A file in the author's folder is not taken for one of Python's own.
        """
        authors, sys.path = sys.path, self.path
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, 1000))  # to import takes more than an author may leave
        try:
            import traceback

            return traceback if hasattr(traceback, "format_exception_only") else None
        except Exception:
            return None
        finally:
            sys.path = authors
            sys.setrecursionlimit(limit)


def quoted(text):
    """A text in JSON, without a module that might no longer load."""
    return '"%s"' % "".join(map(escaped, map(ord, text)))


def escaped(code):
    if code < 0x10000:
        return "\\u%04x" % code
    code -= 0x10000
    return "\\u%04x\\u%04x" % (0xD800 | code >> 10, 0xDC00 | code & 0x3FF)


def exit_status(code):
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


def without_driver(tb):
    """A traceback without the frames of our own code."""
    while tb and tb.tb_frame.f_code.co_filename in OURS:
        tb = tb.tb_next
    if tb:
        tb.tb_next = without_driver(tb.tb_next)
    return tb


def fail_line(e, file):
    if isinstance(e, SyntaxError) and e.filename == file:
        return e.lineno or 0
    line, tb = 0, e.__traceback__
    while tb:
        if tb.tb_frame.f_code.co_filename == file:
            line = tb.tb_lineno or 0
        tb = tb.tb_next
    return line
