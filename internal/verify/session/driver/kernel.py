"""Runs the blocks of one session in a Jupyter kernel; the package comment says how and why.

jupyter_client starts the kernel and speaks its protocol. This process stands between
it and the engine: it has the engine's channel, which the kernel does not inherit.
Nothing newer than Python 3.8.
"""

import json
import os
import re
import resource
import signal
import sys
import tempfile
import time
import uuid

import zmq
from jupyter_client import KernelManager, __version__

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from display import Displays, richest

del sys.path[0]

# How much of the engine's grace time a kernel may take to end after an interrupt and after a
# shutdown request.
INTERRUPT_PART, SHUTDOWN_PART = 0.25, 0.5

# After how many seconds without a message a kernel that has replied gets a further request, to
# find out whether the end of the step was dropped.
QUIET = 0.5

# How many seconds output is waited for: of subprocesses of ipykernel, which are late on a busy
# machine, and of what a dead kernel left behind.
LATE, DEAD = 5, 1

# How long a kernel may take to end after code such as quit(). On a busy machine R needs a second.
EXIT_TIME = 10

# How long the start may take if the kernel does not find the files that are its sockets, and
# how long their names may be.
FILES_TIME, MOST_PATH = 60, 100

# Messages that wait for this process. A kernel drops what is beyond its own limit,
# which is 1000 in most of them.
MOST_MESSAGES = 100000

# The text of a value that has none.
OBJECT = re.compile(r"<IPython\.\S+ object>$|<.* at 0x[0-9a-f]+>$")

ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")


class Terminated(Exception):
    pass


class Dead(Exception):
    pass


class Session:
    def __init__(self, ctl, name):
        self.ctl, self.name, self.pid = ctl, name, os.getpid()
        self.displays = Displays(self)
        self.nonce = None  # of the step that runs
        self.outputs = {}  # of the step that runs: the descriptors of its stdout and stderr
        self.step = None
        self.manager = self.client = None
        self.info = {}
        self.has_thread = False  # see Step.collect
        self.tail = b""  # of the kernel's own stderr
        # The connection file: the folder for it in the home folder may be read-only.
        self.folder = tempfile.mkdtemp(prefix="kernel-")

    def start(self):
        """Starts the kernel, with sockets that are files: no other user of the machine can listen.

        Kernels that know only TCP end, or name the files in a way of their own. TCP is tried
        twice, because another program may have taken a port meanwhile.
        """
        self.outputs = {"stdout": 2, "stderr": 2}
        ways = [(os.path.join(self.folder, "k"), "ipc"), ("127.0.0.1", "tcp"), ("127.0.0.1", "tcp")]
        for i, way in enumerate(ways):
            if len(way[0]) > MOST_PATH:
                continue
            try:
                self.launch(*way)
                break
            except Dead:
                if i == len(ways) - 1:
                    raise
                self.kill()
        self.outputs = {}

    def launch(self, ip, transport):
        self.died = None  # when that was noticed
        self.poller = zmq.Poller()
        self.pipes = {}  # descriptor: the stream that it belongs to
        environ = dict(os.environ, JUPYTER_RUNTIME_DIR=self.folder)
        environ.setdefault("IPYTHONDIR", self.folder)  # not the profile and the history of the user
        if environ.get("MPLBACKEND") == "Agg":  # the kernel has a backend of its own
            del environ["MPLBACKEND"]
        context = zmq.Context()
        context.setsockopt(zmq.RCVHWM, MOST_MESSAGES)
        context.setsockopt(zmq.RECONNECT_IVL, 20)  # milliseconds, until the kernel listens
        self.manager = KernelManager(
            kernel_name=self.name,
            connection_file=os.path.join(self.folder, transport + ".json"),
            transport=transport,
            context=context,
        )
        self.manager.ip = ip
        ends = []
        for name in "stdout", "stderr":
            end, its_end = os.pipe()
            os.set_blocking(end, False)
            self.pipes[end] = name
            self.poller.register(end, zmq.POLLIN)
            ends.append(its_end)
        self.manager.start_kernel(env=environ, stdout=ends[0], stderr=ends[1])
        for its_end in ends:
            os.close(its_end)
        self.process = self.manager.provisioner.process
        self.client = self.manager.client(context=context)
        self.client.start_channels(hb=False, control=False)
        self.shell, self.iopub, self.stdin = (
            channel.socket
            for channel in (self.client.shell_channel, self.client.iopub_channel, self.client.stdin_channel)
        )
        for socket in self.shell, self.iopub, self.stdin:
            self.poller.register(socket, zmq.POLLIN)
        # Until iopub is connected the output of a kernel is lost: it is once a message has come.
        end = time.monotonic() + FILES_TIME
        while transport == "tcp" or time.monotonic() < end and not any(n[:2] == "k:" for n in os.listdir(self.folder)):
            step = Step(self, self.client.kernel_info(), 0)
            self.wait(step, time.monotonic() + 1)
            if step.reply and step.idle:
                self.info = step.reply
                self.has_thread = self.info.get("implementation") == "ipython"
                return
        raise Dead

    def wait(self, step, deadline=None):
        """Passes on what the kernel sends until the step has ended."""
        self.step = step
        quiet = None
        while not (step.reply and (step.idle or step.lost)):
            busy = self.pump(100)
            now = time.monotonic()
            if step.refused and now > step.refused:
                self.manager.interrupt_kernel()
                step.refused = now + 0.5  # it may come while a kernel does not wait for it yet
            if deadline and now > deadline:
                break
            if step.reply and not step.idle:
                quiet = now + QUIET if busy or not quiet else quiet
                if now > quiet:
                    # Messages keep their order, so the end of the step was dropped if the answer to this comes first.
                    # If the kernel is only busy, both are late.
                    step.probes.append(self.client.kernel_info())
                    quiet = now + QUIET
        self.step = None

    def pump(self, milliseconds):
        """Handles what has come, and returns whether it was anything."""
        ready = dict(self.poller.poll(milliseconds))
        if self.process.poll() is not None:
            self.died = self.died or time.monotonic()
            # What it left behind may write without end.
            if not ready or time.monotonic() > self.died + DEAD:
                raise Dead
        # Output first: what a step has printed came before its end.
        for fd in [fd for fd in ready if fd in self.pipes]:
            self.read_pipe(fd)
        for socket in [socket for socket in (self.iopub, self.shell, self.stdin) if socket in ready]:
            self.receive(socket)
        return bool(ready)

    def read_pipes(self):
        """Reads what the pipes hold now: a background process may write without end."""
        for fd in list(self.pipes):
            self.read_pipe(fd)

    def read_pipe(self, fd):
        try:
            data = os.read(fd, 65536)  # all that a pipe can hold
        except BlockingIOError:
            return
        if self.info.get("implementation") != "ipython":
            self.write(self.pipes[fd], data)
        elif self.pipes[fd] == "stderr":  # it sends that as a message, too, unless it dies
            self.tail = (self.tail + data)[-8192:]
        if not data:
            self.poller.unregister(fd)
            del self.pipes[fd]
            os.close(fd)

    def receive(self, socket):
        for _ in range(1000):
            try:
                _, message = self.client.session.recv(socket, zmq.NOBLOCK)
            except Exception:  # not a message of the protocol, or one with another signature
                continue
            if message is None:
                return
            step = self.step
            kind, content = message["msg_type"], message["content"]
            parent = message["parent_header"].get("msg_id")
            probed = step and parent in step.probes
            if not probed and (not step or parent not in step.ids or parent != step.ids[0] and kind != "stream"):
                continue  # late output of an earlier step, or nothing that was asked for
            try:
                if probed:
                    step.lost = step.lost or kind == "status" and content.get("execution_state") == "idle"
                elif socket is self.iopub:
                    step.publish(kind, content)
                elif socket is self.shell:
                    step.answer(content)
                elif kind == "input_request":
                    step.refuse()
            except (AttributeError, KeyError, TypeError, ValueError):
                pass  # content that the protocol does not have

    def write(self, name, data):
        fd = self.outputs.get(name)
        while data and fd is not None:
            data = data[os.write(fd, data) :]

    def serve(self, commands):
        """Runs the engine's commands until it closes their socket."""
        buffer = b""
        self.poller.register(commands, zmq.POLLIN)
        while True:
            while buffer.count(b"\n") < 3:
                if commands not in dict(self.poller.poll(100)):
                    self.pump(0)  # drops what comes between two steps
                    continue
                more = os.read(commands, 4096)
                if not more:
                    return
                buffer += more
            nonce, mode, file, buffer = buffer.split(b"\n", 3)
            self.nonce = nonce.decode()
            self.poller.unregister(commands)
            if mode == b"sync":
                self.report("ready")
            else:
                self.run(mode, file)
            self.poller.register(commands, zmq.POLLIN)

    def run(self, mode, file):
        for name in "stdout", "stderr":
            self.outputs[name] = os.open(os.path.join(self.ctl, name), os.O_WRONLY)
        with open(os.path.join(os.fsencode(self.ctl), b"src", file), encoding="utf-8") as f:
            source = f.read()
        code = source.lstrip("\n")
        self.tail = b""
        reply = {"exit": 0}
        if mode == b"info":
            self.write("stdout", self.description().encode())
        elif code:
            reply = self.execute(code, len(source) - len(code))
        self.read_pipes()  # what the kernel's subprocesses have written
        for fd in self.outputs.values():
            os.close(fd)
        self.outputs = {}
        self.displays.end()
        self.report("done", **{name: json.dumps(value) for name, value in reply.items()})

    def execute(self, code, before):
        # Nothing waits behind it that an error could cancel.
        step = Step(self, self.client.execute(code, allow_stdin=False, stop_on_error=False), before)
        self.wait(step)
        if step.exits:  # so that the kernel ends in this step, and not in a later one
            self.shut_down(EXIT_TIME)
        if self.has_thread and step.idle:
            step.collect()
        step.display(step.value)
        return step.result(code)

    def report(self, kind, **values):
        """Writes a record for the engine; the values are JSON."""
        values = "".join(map(',"%s":%s'.__mod__, values.items()))
        with open(os.path.join(self.ctl, "results"), "w") as results:
            results.write('{"nonce":"%s","kind":"%s"%s}\n' % (self.nonce, kind, values))

    def description(self):
        """What runs the blocks: "R 4.2.2, IRkernel 1.3.2, jupyter_client 8.6.0"."""
        language = self.info.get("language_info") or {}
        parts = [
            (language.get("name"), language.get("version")),
            (self.info.get("implementation"), self.info.get("implementation_version")),
            ("jupyter_client", __version__),
        ]
        words = (" ".join(str(word) for word in part if word) for part in parts)
        return ", ".join("".join(filter(str.isprintable, text))[:60] for text in words if text)

    def stop(self, interrupt, grace):
        """Ends the kernel by the protocol, or else by force, within the grace time in seconds."""
        if not self.client:
            return
        try:
            if interrupt:
                step = self.step or Step(self, None, 0)
                self.manager.interrupt_kernel()
                self.wait(step, time.monotonic() + INTERRUPT_PART * grace)
            self.shut_down(SHUTDOWN_PART * grace)
        except Dead:
            pass
        finally:
            self.kill()

    def shut_down(self, seconds):
        self.manager.request_shutdown()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.pump(10)

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except OSError:
            pass

    def die(self):
        """Ends as the kernel has: the engine reads its exit status from ours."""
        self.read_pipes()
        self.write("stderr", self.tail)
        status = self.process.poll()
        if status < 0:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            signal.signal(-status, signal.SIG_DFL) if -status != signal.SIGKILL else None
            os.kill(os.getpid(), -status)
        os._exit(status)


class Step:
    """A request to the kernel, and what it has answered so far."""

    def __init__(self, session, id, before):
        self.session, self.ids, self.before = session, [id], before
        self.reply = None
        self.exits = False
        self.idle = False
        self.probes = []  # further requests: their end on iopub follows the end of the step
        self.lost = False  # the end of the step was dropped
        self.error = None
        self.value = {}  # the content of the last expression's result
        self.mark = None
        self.marked = {}  # by stream: what has come since the mark began, or None once it is complete
        self.refused = None  # when to interrupt the kernel next, once it has asked for input

    def answer(self, content):
        self.reply = content
        # exit() of Python and quit() of R ask the client to end the kernel.
        self.exits = any(p["source"] == "ask_exit" and not p.get("keepkernel") for p in content.get("payload") or [])

    def refuse(self):
        self.show_error({"evalue": "the kernel asks for input, but there is nobody to answer"})
        self.refused = time.monotonic()

    def publish(self, kind, content):
        if kind == "status":
            self.idle = content.get("execution_state") == "idle"
        elif kind == "stream":
            name = "stderr" if content.get("name") == "stderr" else "stdout"
            self.stream(name, str(content.get("text")))
        elif kind == "error":
            self.show_error(content)
        elif kind == "clear_output":
            self.session.displays.clear_output(content.get("wait"))
        elif kind in ("display_data", "update_display_data"):
            self.display(content)
        elif kind == "execute_result":  # the last one follows all other output
            self.display(self.value)
            self.value = content

    def print(self, name, text):
        self.session.write(name, text.encode("utf-8", "replace"))

    def stream(self, name, text):
        if name in self.marked:
            if self.marked[name] is None:
                return
            text, found, _ = (self.marked[name] + text).partition(self.mark)
            start = -1 if found else text.find(self.mark[0])
            self.marked[name] = None if found else text[start:] if start >= 0 else ""
            text = text[:start] if start >= 0 else text
        self.print(name, text)

    def collect(self):
        """Waits for what subprocesses of ipykernel have written to its stdout and stderr.

        A thread of it reads that, and sends it as messages when it comes to it: often after the end of the
        step. So the kernel writes a mark there, and what comes before the mark is of this step.
        """
        session = self.session
        self.mark = "\x1e%s\x1e" % uuid.uuid4().hex
        self.marked = {"stdout": "", "stderr": ""}
        code = "[__import__('os').write(fd, %r) for fd in (1, 2)] and __import__('time').sleep(0.001)" % self.mark.encode()
        self.ids.append(session.client.execute(code, silent=True, allow_stdin=False, stop_on_error=False))
        session.step = self
        end = time.monotonic() + LATE
        while any(text is not None for text in self.marked.values()) and session.has_thread:
            session.pump(100)
            if time.monotonic() > end:
                session.has_thread = False  # the author has changed stdout
        session.step = None
        for name, text in self.marked.items():
            self.print(name, text or "")

    def display(self, content):
        """Keeps the richest form of a value, and prints its text unless the form is a picture."""
        data = {mime: "".join(d) if isinstance(d, list) else d for mime, d in (content.get("data") or {}).items()}
        if "<" not in str(data.get("text/html", "<")):  # a number of R: not richer than text
            data.pop("text/html", None)
            data.pop("text/latex", None)
        form, figure = richest(None, data)
        if form:
            self.session.displays.add(form, figure, (content.get("transient") or {}).get("display_id"))
        if form in ("svg", "png", "jpeg"):
            return
        text = str(data.get("text/plain") or "")
        if OBJECT.match(text) and (form or "text/markdown" in data):
            text = str(data.get("text/markdown") or "")
        self.print("stdout", ended(text))

    def show_error(self, content):
        if self.error:
            return
        self.error = content
        lines = content.get("traceback") or [error_name(content)]
        self.print("stderr", ended(ANSI.sub("", "\n".join(map(str, lines)))))

    def result(self, code):
        if self.reply.get("status") == "ok" and not self.refused:
            return {"exit": 0}
        if not self.error and self.reply.get("status") == "error":
            self.show_error(self.reply)  # a kernel that has not published it
        if not self.error:
            self.show_error({"evalue": "the kernel has not run the block (%s)" % self.reply.get("status")})
        line = fail_line(self.error.get("traceback") or [], self.reply.get("execution_count"), code.split("\n"))
        return {
            "exit": 1,
            "exception": error_name(self.error)[:4096],
            "line": line and self.before + line,
        }


def ended(text):
    return text if text.endswith("\n") or not text else text + "\n"


def error_name(error):
    """The end of a traceback: "NameError: name 'toruch' is not defined"."""
    name, value = (ANSI.sub("", str(error.get(key) or "")).strip() for key in ("ename", "evalue"))
    # The place that ends the message of a syntax error is a line of our own.
    value = re.sub(r" \(\w+\.py, line \d+\)$", "", value)
    if not name or value.startswith("Error"):  # as in R: "Error in f(): no"
        return value
    return "%s: %s" % (name, value) if value else name


def fail_line(traceback, count, lines):
    """The line of a block that failed, from 1, if the traceback shows it, or else 0.

    A function of an earlier block has lines of its own there.
    """
    text = ANSI.sub("", "\n".join(map(str, traceback)))
    found = 0
    # ipykernel, from IPython 8.0 on, and IJulia: the innermost frame in this cell.
    for match in re.finditer(r"(?:Cell In ?|Input In ?|In ?)\[%s\](?:, line |:)(\d+)" % count, text):
        found = int(match.group(1))
    # IRkernel: a call in a function, which may be of another block.
    for match in re.finditer(r"^\d+\. ([\w.]+)\(.*# at line (\d+)\S* of file <text>", text, re.M):
        line = int(match.group(2))
        if line <= len(lines) and match.group(1) in lines[line - 1]:
            found = line
    match = re.search(r"<text>:(\d+):\d+:", text)  # its syntax errors, which may be after the end
    if match:
        found = min(int(match.group(1)), len(lines))
    return found if found <= len(lines) else 0


def main(ctl, name, grace):
    # Above the low numbers, which jupyter_client may use, and closed in the kernel.
    commands = os.dup2(3, 200, inheritable=False)
    os.close(3)

    def terminated(*_):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise Terminated

    signal.signal(signal.SIGTERM, terminated)
    session = Session(ctl, name)
    interrupt = False
    try:
        session.start()
        session.serve(commands)
    except Terminated:
        interrupt = True
    except Dead:
        session.die()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    session.stop(interrupt, float(grace))
    os._exit(0)


main(*sys.argv[1:])
