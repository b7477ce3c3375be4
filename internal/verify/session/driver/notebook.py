"""What a notebook knows beyond Python: !command, %magic, name?.

The driver loads this file for the first block that is no Python as it stands.
Such lines become calls of a Notebook, line by line, so that what a traceback
names stays a line of the Markdown file. Nothing newer than Python 3.8.
"""

import ast
import builtins
import io
import os
import re
import string
import sys
import time

NAME = "__gpudocs__"  # of the Notebook, among the builtins

# A magic line: the target of an assignment, its mark, and the rest, which a backslash at the
# end of a line continues. No statement of Python begins with one of the marks, or has one
# directly after the = of an assignment.
MAGIC = re.compile(
    r"(?P<indent>[ \t]*)"
    r"(?P<target>[^=\n#!%?'\"()]+=[ \t]*(?=[!%]))?"
    r"(?P<mark>!!?|%%?(?=[A-Za-z_])|\?\??)"
    r"(?P<rest>(?:\\\n|[^\n])*)"
)
HELP = re.compile(r"(?P<indent>[ \t]*)%{0,2}(?P<name>[A-Za-z_][\w.]*)\?\??[ \t]*$", re.M)

# The tokens that decide where a logical line ends. A backslash counts if it joins lines.
TOKEN = re.compile(r"#[^\n]*|\\\n|\"\"\"|'''|[\"'()\[\]{}\n]")
STRING_END = {
    '"': re.compile(r'(?:\\.|[^\\\n"])*"?', re.S),
    "'": re.compile(r"(?:\\.|[^\\\n'])*'?", re.S),
    '"""': re.compile(r'(?:\\.|(?!""").)*(?:""")?', re.S),
    "'''": re.compile(r"(?:\\.|(?!''').)*(?:''')?", re.S),
}

# The hints for magics that do not run here.
MENDS = {
    "conda": "prepare an environment, and name it with env= on the block",
    "cu": "write %%writefile NAME.cu, and !nvcc NAME.cu in the next block",
    "cuda": "write %%writefile NAME.cu, and !nvcc NAME.cu in the next block",
    "javascript": "leave it out, pages run no scripts of results",
    "js": "leave it out, pages run no scripts of results",
    "load_ext cudf.pandas": "write import cudf.pandas; cudf.pandas.install()",
    "load_ext cuml.accel": "write import cuml.accel; cuml.accel.install()",
    "ls": "write !ls",
    "pip": "prepare an environment, and name it with env= on the block; !pip install changes this machine",
    "pylab": "write import numpy as np, matplotlib.pyplot as plt",
    "run": "write !python FILE, or import it",
    "sx": "write !COMMAND",
    "system": "write !COMMAND",
}


def logical_end(text, at):
    """The end of the logical line that begins at `at`, including its newline."""
    depth = 0
    while True:
        token = TOKEN.search(text, at)
        if not token:
            return len(text)
        at, token = token.end(), token.group()
        if token == "\n" and depth == 0:
            return at
        if token in STRING_END:
            at = STRING_END[token].match(text, at).end()
        elif token in "([{":
            depth += 1
        elif token in ")]}":
            depth = max(0, depth - 1)


def translate(text, file):
    """The text with calls in place of magics, and which lines those are: by
    number, the bytes from and to that they take in the author's line. A magic
    that does not run here is a SyntaxError that says so."""
    out, spans, at = [], {}, 0
    while at < len(text):
        magic = MAGIC.match(text, at) or HELP.match(text, at)
        if not magic:
            end = logical_end(text, at)
            out.append(text[at:end])
        else:
            line = text.count("\n", 0, at) + 1
            call, end = replaced(text, magic, file, line)
            lines = text[at:end].split("\n")
            shown = lines[0].rstrip()
            begin = len(magic.group("indent"))
            # As anywhere in a notebook, a semicolon at the end keeps a value quiet.
            until = len(shown.rstrip(";") if magic.groupdict().get("mark") == "%" else shown)
            spans[line] = [len(shown[:n].encode("utf-8", "replace")) for n in (begin, until)]
            out.append(magic.group("indent") + call + "\n" * (len(lines) - 1))
        at = end
    return "".join(out), spans


def replaced(text, magic, file, line):
    """The call that replaces one magic, and the end of the magic."""
    groups = magic.groupdict()

    def refuse(what, mend):
        shown = text[magic.start() :].split("\n", 1)[0]
        raise SyntaxError("%s does not run here; %s" % (what, mend), (file, line, len(groups["indent"]) + 1, shown))

    mark, target = groups.get("mark", "?"), groups.get("target") or ""
    if mark[0] == "?":
        name = groups.get("name") or re.match(r"[\s%]*([\w.]*)", groups["rest"]).group(1)
        refuse("a notebook's help, ?%s," % name, "write help(%s)" % name)
    rest = groups["rest"].replace("\\\n", " ")
    if mark[0] == "!":
        verb = "getoutput" if target or mark == "!!" else "system"
        return "%s%s.%s(%r)" % (target, NAME, verb, rest.strip()), magic.end()

    name, _, args = rest.partition(" ")
    name, end = name.rstrip(), magic.end()
    before = text[magic.start() : end].partition(args or "\n")[0]
    column = len(before.encode("utf-8", "replace"))
    kind = "cell" if mark == "%%" else "line"
    if not hasattr(Notebook, kind + "_" + name) or " ".join([name] + args.split()) in MENDS:
        refuse("the notebook magic %s%s" % (mark, name), MENDS.get(" ".join([name] + args.split())) or mend(kind, name))
    if mark == "%":
        return "%s%s.line(%r, %r, %d)" % (target, NAME, name, args, column), end
    if text[: magic.start()].strip() or groups["indent"]:
        refuse("%%%%%s in the midst of a block" % name, "make it the first line of a block of its own")
    return "%s.cell(%r, %r, %r)" % (NAME, name, args.strip(), text[end:-1]), len(text)


def mend(kind, name):
    """What to write instead of a magic that does not run here."""
    if name in MENDS:
        return MENDS[name]
    marks = {"line": "%", "cell": "%%"}
    other = "cell" if kind == "line" else "line"
    if hasattr(Notebook, other + "_" + name):
        return "write " + marks[other] + name
    import difflib

    known = [verb[len(kind) + 1 :] for verb in dir(Notebook) if verb.startswith(kind + "_")]
    for near in difflib.get_close_matches(name, known, 1):
        return "did you mean " + marks[kind] + near + "?"
    return "write it in plain Python, or take run off the block"


class Notebook:
    def __init__(self, session, last_expression):
        self.session = session
        self.last_expression = last_expression
        self.folders = []  # that %cd left, for %cd -
        setattr(builtins, NAME, self)

    def parse(self, source, file):
        """The tree of a source with magics, or None if it has no magics."""
        text, spans = translate(source.decode("utf-8", "replace"), file)
        if not spans:
            return None
        tree = self.session.parse_plain(text, file)
        # For tracebacks, the place of a call is the whole magic line.
        for node in ast.walk(tree):
            if getattr(node, "lineno", 0) in spans:
                node.col_offset, node.end_col_offset = spans[node.lineno]
                node.end_lineno = node.lineno
        return tree

    # The calls. The frame before each is the author's.

    def system(self, command):
        import subprocess

        command = expand(command, sys._getframe(1))
        self.session.flush()
        check(subprocess.call(command, shell=True), command)

    def getoutput(self, command):
        import subprocess

        command = expand(command, sys._getframe(1))
        self.session.flush()
        done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        text = done.stdout.decode("utf-8", "replace")
        if done.returncode:
            sys.stderr.write(text)
        check(done.returncode, command)
        return text.splitlines()

    def line(self, name, args, column):
        frame = sys._getframe(1)
        if name not in ("time", "timeit"):
            args = expand(args.strip().rstrip(";"), frame)
            return getattr(self, "line_" + name)(args)
        return getattr(self, "line_" + name)(args, frame, column)

    def cell(self, name, args, body):
        frame = sys._getframe(1)
        source = "\n" * (frame.f_lineno - 1) + body  # which begins with the end of its first line
        return getattr(self, "cell_" + name)(args, source, frame)

    # Time.

    def line_time(self, args, frame, column):
        return self.timed(*self.statement(args, frame, column), frame)

    def cell_time(self, args, source, frame):
        if args:
            raise ValueError("%%time takes no more on its line: " + args)
        return self.timed(*self.block(source, frame), frame)

    def timed(self, tree, shown, frame):
        file = frame.f_code.co_filename
        codes = [self.session.code(tree, file, "exec")]
        codes += [self.session.code(ast.Expression(e.value), file, "eval") for e in shown]
        value, began, wall = None, cpu_times(), time.perf_counter()
        for code in codes:
            value = eval(code, frame.f_globals, frame.f_locals)
        wall = time.perf_counter() - wall
        user, system = (b - a for a, b in zip(began, cpu_times()))
        print("CPU times: user %s, sys: %s, total: %s" % tuple(map(span, (user, system, user + system))))
        print("Wall time: " + span(wall))
        return value

    def line_timeit(self, args, frame, column):
        options, code = timeit_options(args)
        at = column + len(args) - len(code)
        tree, shown = self.statement(code, frame, at)
        return repeat(tree.body + shown, [], options, frame)

    def cell_timeit(self, args, source, frame):
        options, setup = timeit_options(args)
        before, value = self.statement(setup, frame, 0)
        tree, shown = self.block(source, frame)
        return repeat(tree.body + shown, before.body + value, options, frame)

    def block(self, source, frame):
        """The tree of a source, and apart from it the expression that is shown."""
        source = source.encode("utf-8", "replace") + b"\n"
        tree = self.session.parse(source, frame.f_code.co_filename)
        shown = self.last_expression(tree, source)
        tree.body = tree.body[: len(tree.body) - len(shown)]
        return tree, shown

    def statement(self, text, frame, column):
        """The same for a statement in the line of the frame, from a column on."""
        tree, shown = self.block("\n" * (frame.f_lineno - 1) + text.strip(), frame)
        for part in [tree, *shown]:
            for node in ast.walk(part):
                if hasattr(node, "col_offset"):
                    node.col_offset += column
                    node.end_col_offset += column
        return tree, shown

    # Folders, variables, files, other shells.

    def line_matplotlib(self, args):
        """Means nothing here, as the next ones: figures are kept with any backend, and a run imports anew."""

    line_config = line_autoreload = line_load_ext = line_reload_ext = line_unload_ext = line_matplotlib

    def line_pwd(self, args):
        return os.getcwd()

    def line_cd(self, args):
        quiet = args.startswith("-q")
        to = args[2:].strip() if quiet else args
        if to == "-" and not self.folders:
            raise ValueError("%cd -: there is no folder before this one")
        here = os.getcwd()
        os.chdir(self.folders.pop() if to == "-" else os.path.expanduser(to.strip("\"'") or "~"))
        self.folders.append(here)
        if not quiet:
            print(os.getcwd())

    def line_env(self, args):
        name, _, value = args.partition("=" if "=" in args else " ")
        name, value = name.strip(), value.strip()
        if not name:
            raise ValueError("%env without a name would publish the whole environment: name a variable")
        if name == args:
            return os.environ[name]
        os.environ[name] = value
        print("env: %s=%s" % (name, value))

    line_set_env = line_env

    def cell_bash(self, args, source, frame, shell="bash"):
        import subprocess

        if args:
            raise ValueError("%%%%%s takes no options here: %s" % (shell, args))
        self.session.flush()
        # The name is $0, which begins the shell's own messages.
        check(subprocess.call([shell, "-e", "-c", source, frame.f_code.co_filename]), "%%" + shell)

    def cell_sh(self, args, source, frame):
        self.cell_bash(args, source, frame, "sh")

    def cell_writefile(self, args, source, frame):
        more = args.startswith("-a ")
        name = os.path.expanduser(expand(args[2:] if more else args, frame).strip().strip("\"'"))
        if not name:
            raise ValueError("%%writefile names no file")
        verb = "Writing" if not os.path.exists(name) else "Appending to" if more else "Overwriting"
        with open(name, "a" if more else "w", encoding="utf-8") as f:
            f.write(source[frame.f_lineno :])
        print(verb, name)

    cell_file = cell_writefile

    # What is displayed.

    def cell_html(self, args, source, frame):
        self.session.rich().show({"text/html": source.strip("\n")}, None, True)

    def cell_svg(self, args, source, frame):
        self.session.rich().show({"image/svg+xml": source.strip()}, None, True)

    def cell_latex(self, args, source, frame):
        self.session.rich().show({"text/latex": source.strip("\n")}, None, True)

    def cell_markdown(self, args, source, frame):
        print(source.strip("\n"))

    cell_HTML, cell_SVG = cell_html, cell_svg

    def cell_capture(self, args, source, frame):
        import contextlib

        words = args.split()
        unknown = [word for word in words if word.startswith("-") and word not in ("--no-stdout", "--no-stderr", "--no-display")]
        if unknown:
            raise ValueError("%%capture knows --no-stdout, --no-stderr and --no-display, not " + unknown[0])
        displays = self.session.rich()
        captured = Captured(displays)
        before = displays.shown
        displays.shown = []
        try:
            with contextlib.ExitStack() as stack:
                if "--no-stdout" not in words:
                    stack.enter_context(contextlib.redirect_stdout(captured.out))
                if "--no-stderr" not in words:
                    stack.enter_context(contextlib.redirect_stderr(captured.err))
                tree, shown = self.block(source, frame)
                file = frame.f_code.co_filename
                exec(self.session.code(tree, file, "exec"), frame.f_globals)
                for e in shown:
                    value = eval(self.session.code(ast.Expression(e.value), file, "eval"), frame.f_globals)
                    if value is not None:
                        displays.show(value, None, False)
        finally:
            captured.outputs, displays.shown = displays.shown, before
            if "--no-display" in words:
                captured.show_outputs()
        for word in words:
            if not word.startswith("-"):
                frame.f_globals[word] = captured


class Captured:
    """What %%capture keeps, with IPython's names. Commands write past it."""

    def __init__(self, displays):
        self.displays, self.out, self.err, self.outputs = displays, io.StringIO(), io.StringIO(), []

    stdout = property(lambda self: self.out.getvalue())
    stderr = property(lambda self: self.err.getvalue())
    __str__ = stdout.fget

    def show(self):
        sys.stdout.write(self.stdout)
        sys.stderr.write(self.stderr)
        self.show_outputs()

    __call__ = show

    def show_outputs(self):
        for form, data, key in self.outputs:
            self.displays.add(form, data, key)


def check(status, command):
    """A failed command ends its block, as it does in one of bash."""
    if status:
        import subprocess

        raise subprocess.CalledProcessError(status, command) from None


DOLLAR = re.compile(r"'[^']*'|\$(\$?)([A-Za-z_]\w*)")


def expand(text, frame):
    """Puts in the values of {expression} and $name, as a notebook does: what
    cannot be evaluated is left to the shell, and $$name is its $name."""

    def dollar(found):
        escaped, name = found.groups()
        names = {**frame.f_globals, **frame.f_locals}
        if escaped:
            return "$" + name
        return str(names[name]) if name in names else found.group()

    out = []
    try:
        for literal, field, spec, conversion in string.Formatter().parse(text):
            out.append(DOLLAR.sub(dollar, literal))
            if field is not None:
                value = eval(field, frame.f_globals, frame.f_locals)
                value = {"r": repr, "s": str, "a": ascii, None: lambda v: v}[conversion](value)
                out.append(format(value, spec))
    except Exception:
        return text
    return "".join(out)


def cpu_times():
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime, used.ru_stime


def span(seconds):
    """A duration in IPython's form, as pages show it: 1.2 ms, 1min 3s."""
    if seconds >= 60:
        parts = []
        for unit, length in ("d", 86400), ("h", 3600), ("min", 60), ("s", 1):
            n, seconds = divmod(seconds, length)
            if n:
                parts.append("%d%s" % (n, unit))
        return " ".join(parts)
    for unit, scale in ("s", 1), ("ms", 1e3), ("µs", 1e6):
        if seconds * scale >= 1:
            return "%.3g %s" % (seconds * scale, unit)
    return "%.3g ns" % (seconds * 1e9)


def timeit_options(args):
    """-n LOOPS -r RUNS -q -o, and the rest of the line."""
    options = {"n": 0, "r": 7, "q": False, "o": False}
    while True:
        found = re.match(r"\s*-(?:([nr])\s*(\d+)|([qo]))(?:\s+|$)", args)
        if not found:
            break
        number, value, flag = found.groups()
        options[number or flag] = int(value) if number else True
        args = args[found.end() :]
    if re.match(r"\s*-[a-z]\b", args):
        raise ValueError("%%timeit knows -n -r -q -o, not %s" % args.split()[0])
    return options, args.strip()


def repeat(code, setup, options, frame):
    """Times statements in a function of their own, as the module timeit does."""
    import timeit

    function = ast.parse("def inner(_it, _timer):\n _t0 = _timer()\n for _i in _it: pass\n _t1 = _timer()\n return _t1 - _t0")
    inner = function.body[0]
    inner.body[1].body = code or inner.body[1].body
    inner.body[0:0] = setup
    names = {**frame.f_globals, **frame.f_locals}
    exec(compile(function, frame.f_code.co_filename, "exec"), names)
    timer = timeit.Timer()
    timer.inner = names["inner"]
    loops = options["n"] or next(n for n in (10 ** k for k in range(10)) if timer.timeit(n) >= 0.2 or n == 10 ** 9)
    result = TimeitResult(loops, [t / loops for t in timer.repeat(options["r"], loops)])
    if not options["q"]:
        if result.worst > 4 * result.best > 0 and result.worst > 1e-6:
            print("The slowest run took %0.2f times longer than the fastest. "
                  "This could mean that an intermediate result is being cached." % (result.worst / result.best))
        print(result)
    return result if options["o"] else None


class TimeitResult:
    """The result of %timeit -o, with IPython's names."""

    def __init__(self, loops, timings):
        self.loops, self.repeat, self.timings = loops, len(timings), timings
        self.best, self.worst = min(timings), max(timings)
        self.average = sum(timings) / len(timings)
        self.stdev = (sum((t - self.average) ** 2 for t in timings) / len(timings)) ** 0.5

    def __str__(self):
        return "%s ± %s per loop (mean ± std. dev. of %d run%s, %s loop%s each)" % (
            span(self.average), span(self.stdev), self.repeat, "s" * (self.repeat != 1), format(self.loops, ","), "s" * (self.loops != 1))

    def __repr__(self):
        return "<TimeitResult : %s>" % self
