"""Runs the blocks of one Python session; the package comment says how and why.

It lives in a dictionary of its own, so that the module __main__ belongs to the
author alone. It imports only what is in every Python's start anyway: each other
import would cost every session milliseconds. Nothing newer than Python 3.8.
"""

import __future__
import __main__
import _ast
import builtins
import io
import itertools
import os
import sys

OWN_PATH = [folder for folder in sys.path if folder]
RICH = "_repr_mimebundle_", "_repr_svg_", "_repr_png_", "_repr_jpeg_", "_repr_html_", "_repr_latex_"
FEATURES = [getattr(__future__, name) for name in __future__.all_feature_names]


class Session:
    def __init__(self, ctl):
        self.ctl = ctl
        self.nonce = None  # of the step that runs
        self.pid = os.getpid()
        self.flags = 0  # the __future__ imports so far
        self.lines = {}  # by file: the source lines of all its blocks
        self.errors = None  # says what went wrong, once something has
        self.notebook = None  # knows a notebook's magics, once one is met
        self.figures = None  # keeps figures, once pyplot is imported
        self.displays = None  # keeps what is displayed, once something is
        self.loaded = {}  # by file: the names of our other files; and the displays
        builtins.display = lambda *values, **options: self.rich().display(*values, **options)
        sys.meta_path[:0] = [
            # linecache gives tracebacks their lines, and pyplot's show() has to work.
            ImportHook("linecache", self.tell_linecache),
            ImportHook("matplotlib.pyplot", self.pyplot_is_here),
            ImportHook("IPython.display", lambda: self.rich().replace_ipython()),
        ]

    def run(self, nonce, mode, file):
        self.nonce = nonce
        if mode == "sync":
            return self.report("ready")
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
        self.report("done", **reply)

    def report(self, kind, **values):
        """Writes a record for the engine; the values are JSON."""
        values = "".join(map(',"%s":%s'.__mod__, values.items()))
        with open(os.path.join(self.ctl, "results"), "w", encoding="utf-8") as results:
            results.write('{"nonce":"%s","kind":"%s"%s}\n' % (self.nonce, kind, values))

    def execute(self, mode, file):
        """The result of a step; the values are JSON."""
        reply = self.attempt(file, self.run_codes, mode, file)
        # An example of a pycon block leaves its figures to the next one.
        if mode == "exec":
            kept = self.attempt(file, self.keep_figures)
            reply = reply if reply["exit"] else kept
        if self.displays:
            self.displays.end()
        return reply

    def run_codes(self, mode, file):
        for code, shown in self.compile(mode, file):
            hook, ours = sys.displayhook, lambda value: self.show(value, hook)
            if shown and mode == "exec":
                sys.displayhook = ours
            try:
                exec(code, __main__.__dict__)
            finally:
                if sys.displayhook is ours:
                    sys.displayhook = hook

    def show(self, value, hook):
        """Prints a value as the prompt does, and keeps its richest form."""
        hook(value)
        if any(getattr(type(value), name, None) for name in RICH):
            self.rich().value(value)

    def rich(self):
        if not self.displays:  # threads of the author's may all come here
            self.displays = self.loaded.setdefault("displays", self.load("display.py")["Displays"](self))
        return self.displays

    def keep_figures(self):
        if "matplotlib.pyplot" in sys.modules:
            self.pyplot_is_here()
            self.figures.keep()

    def pyplot_is_here(self):
        if not self.figures:
            self.figures = self.load("figures.py")["Figures"](self, sys.modules["matplotlib.pyplot"])

    def attempt(self, file, do, *args):
        try:
            do(*args)
        except BaseException as e:
            if not self.errors:
                self.errors = self.load("errors.py")["Errors"](OWN_PATH)
            return self.errors.reply(e, file)
        return {"exit": 0}

    def compile(self, mode, file):
        """Yields the code objects of a step, and whether they show values."""
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
            self.notebook = self.load("notebook.py")["Notebook"](self, last_expression)
        tree = self.notebook.parse(source, file)
        if tree is None:
            raise plain
        return tree

    def parse_plain(self, source, file):
        return compile(source, file, "exec", self.flags | _ast.PyCF_ONLY_AST, True)

    def codes(self, tree, shown, file):
        tree.body = tree.body[: len(tree.body) - len(shown)]
        yield self.code(tree, file, "exec"), False
        if shown:
            yield self.code(_ast.Interactive(shown), file, "single"), True

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
        if "linecache" in sys.modules:
            self.tell_linecache()

    def tell_linecache(self):
        for file, lines in self.lines.items():
            text = [line + "\n" for line in lines]
            # No modification time: linecache.checkcache leaves such an entry alone.
            sys.modules["linecache"].cache[file] = (sum(map(len, text)), None, text, file)

    def load(self, file):
        """The names of another file of ours, which few sessions need.

        To compile a line costs every session 10 microseconds.
        """
        if file not in self.loaded:
            names = {"__name__": "gpudocs_" + file[:-3]}
            with open(os.path.join(self.ctl, file), encoding="utf-8") as f:
                exec(compile(f.read(), "<gpudocs %s>" % file, "exec"), names)
            self.loaded.setdefault(file, names)  # complete, as another thread may wait for it
        return self.loaded[file]

    def flush(self):
        for stream in sys.stdout, sys.stderr:
            try:
                stream.flush()
            except Exception:
                pass  # the author's own stream, or a closed one


class ImportHook:
    """Calls a function as soon as a module has been imported."""

    def __init__(self, name, imported):
        self.name, self.imported = name, imported

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        import importlib.util

        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec and hasattr(spec.loader, "exec_module"):
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                self.imported()

            spec.loader.exec_module = exec_module
        return spec


def last_expression(tree, source):
    """The last statement, as a list, if a notebook would show its value."""
    if not tree.body or not isinstance(tree.body[-1], _ast.Expr):
        return []
    last = tree.body[-1]
    rest = source.split(b"\n")[last.end_lineno - 1][last.end_col_offset :]
    return [] if rest.lstrip().startswith(b";") else [last]


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


def main(ctl):
    # Above the low numbers, which are the author's, and closed in subprocesses.
    fd = os.dup2(3, 200, inheritable=False)
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
