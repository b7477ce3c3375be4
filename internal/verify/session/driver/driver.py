"""Runs the blocks of one Python session; the package comment says how and why.

It lives in a dictionary of its own, so that the module __main__ belongs to the
author alone. Nothing newer than Python 3.8.
"""

import __future__
import __main__
import ast
import fcntl
import io
import itertools
import json
import linecache
import os
import sys
import traceback

# The files of our code, which no traceback shows.
OURS = ("driver.py", "<gpudocs notebook.py>", "<gpudocs figures.py>")
FEATURES = [getattr(__future__, name) for name in __future__.all_feature_names]


class Session:
    def __init__(self, ctl):
        self.ctl = ctl
        self.pid = os.getpid()
        self.flags = 0  # the __future__ imports so far
        self.lines = {}  # by file: the source lines of all its blocks
        self.libc = line_buffered_libc()
        self.notebook = None  # knows a notebook's magics, once one is met
        self.figures = None  # keeps figures, once pyplot is imported
        sys.meta_path.insert(0, PyplotHook(self))

    def run(self, nonce, mode, file):
        for fd, name in (1, "stdout"), (2, "stderr"):
            fifo = os.open(os.path.join(self.ctl, name), os.O_WRONLY)
            os.dup2(fifo, fd)
            if fifo != fd:  # the author may have closed 1 or 2
                os.close(fifo)
            reopen_if_closed(name, fd)
        reply = self.execute(mode, file)
        self.flush()
        if os.getpid() != self.pid:
            os._exit(reply["exit"])  # a child that the author forked fell off the end
        reply["nonce"] = nonce
        with open(os.path.join(self.ctl, "results"), "w") as results:
            results.write(json.dumps(reply) + "\n")

    def execute(self, mode, file):
        if self.figures:
            self.figures.count = 0
        reply = self.attempt(file, self.run_codes, mode, file)
        # An example of a pycon block leaves its figures to the next one.
        if mode == "exec":
            kept = self.attempt(file, self.keep_figures)
            reply = reply if reply["exit"] else kept
        reply["figures"] = self.figures.count if self.figures else 0
        return reply

    def run_codes(self, mode, file):
        for code in self.compile(mode, file):
            exec(code, __main__.__dict__)

    def keep_figures(self):
        if "matplotlib.pyplot" in sys.modules:
            self.pyplot_is_here()
            self.figures.keep()

    def pyplot_is_here(self):
        if not self.figures:
            self.figures = load(self, "figures.py")["Figures"](self, sys.modules["matplotlib.pyplot"])

    def attempt(self, file, do, *args):
        try:
            do(*args)
        except SystemExit as e:
            status = exit_status(e.code)
            return {"exit": status, "line": fail_line(e, file) if status else 0}
        except BaseException as e:
            e.__traceback__ = without_driver(e.__traceback__)
            show(e)
            # Cut, as the engine reads a reply only up to a limit.
            return {"exit": 1, "line": fail_line(e, file), "exception": name(e)[:4096]}
        return {"exit": 0}

    def compile(self, mode, file):
        """Yields the code objects of a step, the shown expressions apart."""
        with open(os.path.join(self.ctl, "src", file), "rb") as f:
            source = f.read() + b"\n"
        self.remember(file, source)
        if mode == "single":
            tree = self.parse_plain(source, file)
            shown = tree.body
        else:
            tree = self.parse(source, file)
            shown = last_expression(tree, source)
        return self.codes(tree, shown, file)

    def parse(self, source, file):
        """The tree of a source that may hold what only notebooks know."""
        try:
            return self.parse_plain(source, file)
        except SyntaxError as e:
            plain = e
        if not self.notebook:
            self.notebook = load(self, "notebook.py")["Notebook"](self, last_expression)
        tree = self.notebook.parse(source, file)
        if tree is None:
            raise plain
        return tree

    def parse_plain(self, source, file):
        return compile(source, file, "exec", self.flags | ast.PyCF_ONLY_AST, True)

    def codes(self, tree, shown, file):
        tree.body = tree.body[: len(tree.body) - len(shown)]
        yield self.code(tree, file, "exec")
        if shown:
            yield self.code(ast.Interactive(shown), file, "single")

    def code(self, tree, file, mode):
        code = compile(tree, file, mode, self.flags, True)
        for feature in FEATURES:
            self.flags |= code.co_flags & feature.compiler_flag
        return code

    def remember(self, file, source):
        """Shows tracebacks and inspect.getsource where the code comes from.

        A block's source begins with blank lines up to its line in the file, so
        that blocks of one file complete each other.
        """
        new = source.decode("utf-8", "replace").split("\n")[:-1]
        old = self.lines.get(file, [])
        lines = [n or o for n, o in itertools.zip_longest(new, old, fillvalue="")]
        self.lines[file] = lines
        # No modification time: linecache.checkcache leaves such an entry alone.
        text = [line + "\n" for line in lines]
        linecache.cache[file] = (sum(map(len, text)), None, text, file)

    def flush(self):
        for stream in sys.stdout, sys.stderr:
            try:
                stream.flush()
            except Exception:
                pass  # the author's own stream, or a closed one
        if self.libc:
            self.libc.fflush(None)


class PyplotHook:
    """Notices that pyplot is imported, as its show() has to work from then on."""

    def __init__(self, session):
        self.session = session

    def find_spec(self, name, path=None, target=None):
        if name != "matplotlib.pyplot":
            return None
        import importlib.util

        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec and spec.loader:
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                self.session.pyplot_is_here()

            spec.loader.exec_module = exec_module
        return spec


def load(session, file):
    """The names of another file of ours, which few blocks need."""
    names = {"__name__": "gpudocs_" + file[:-3]}
    with open(os.path.join(session.ctl, file), encoding="utf-8") as f:
        exec(compile(f.read(), "<gpudocs %s>" % file, "exec"), names)
    return names


def last_expression(tree, source):
    """The last statement, as a list, if a notebook would show its value."""
    if not tree.body or not isinstance(tree.body[-1], ast.Expr):
        return []
    last = tree.body[-1]
    rest = source.split(b"\n")[last.end_lineno - 1][last.end_col_offset :]
    return [] if rest.lstrip().startswith(b";") else [last]


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


def show(e):
    hook = sys.excepthook
    if hook is sys.__excepthook__:
        hook = traceback.print_exception  # older built-in hooks ignore linecache
    try:
        hook(type(e), e, e.__traceback__)
    except BaseException:  # the author's own hook, or own stream
        traceback.print_exception(type(e), e, e.__traceback__, file=sys.__stderr__)


def name(e):
    """The line that ends a traceback, without the place a SyntaxError adds."""
    if isinstance(e, SyntaxError):
        return "%s: %s" % (type(e).__name__, e.msg)
    return "".join(traceback.format_exception_only(type(e), e)).rstrip("\n")


def reopen_if_closed(name, fd):
    stream = getattr(sys, name)
    if stream is not None and not getattr(stream, "closed", False):
        return
    old = getattr(sys, "__%s__" % name)
    stream = io.TextIOWrapper(
        io.FileIO(fd, "w", closefd=False),
        encoding=old.encoding if old else "utf-8",
        errors=old.errors if old else "backslashreplace",
        write_through=True,
    )
    setattr(sys, name, stream)
    setattr(sys, "__%s__" % name, stream)


def line_buffered_libc():
    """The C library, its stdout put line by line as on a terminal.

    So what C code and CUDA kernels print comes in order with Python's own
    output, and is not lost when the process dies.
    """
    try:
        import ctypes

        libc = ctypes.CDLL(None)
        symbol = "__stdoutp" if sys.platform == "darwin" else "stdout"
        libc.setvbuf(ctypes.c_void_p.in_dll(libc, symbol), None, 1, ctypes.c_size_t(0))
        return libc
    except Exception:
        return None  # a Python without ctypes, a C library without the names


def main(ctl):
    # Above the low numbers, which belong to the author, and closed in children.
    fd = fcntl.fcntl(3, fcntl.F_DUPFD_CLOEXEC, 200)
    os.close(3)
    sys.argv[:] = [""]
    session = Session(ctl)
    with open(fd, encoding="utf-8", newline="\n") as commands:
        while True:
            nonce, mode, file = (commands.readline().rstrip("\n") for _ in range(3))
            if not nonce:
                return  # the engine closed the pipe, or is gone
            session.run(nonce, mode, file)


main(sys.argv[1])
