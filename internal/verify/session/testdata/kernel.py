"""A kernel that breaks the protocol in the way that a block names."""

import json
import os
import signal
import sys
import time

import zmq
from jupyter_client.session import Session

with open(sys.argv[1]) as f:
    info = json.load(f)
session = Session(key=info["key"].encode())
context = zmq.Context()
sockets = {}
for name, kind in ("shell", zmq.ROUTER), ("iopub", zmq.PUB), ("stdin", zmq.ROUTER), ("control", zmq.ROUTER):
    sockets[name] = context.socket(kind)
    sockets[name].bind("%s://%s:%d" % (info["transport"], info["ip"], info[name + "_port"]))
poller = zmq.Poller()
poller.register(sockets["shell"], zmq.POLLIN)
poller.register(sockets["control"], zmq.POLLIN)
stubborn = False


def publish(kind, content, parent):
    session.send(sockets["iopub"], kind, content, parent=parent)


def answer(socket, identity, message):
    global stubborn
    other = {"header": dict(message["header"], msg_id="another")}
    code = message["content"].get("code", "").strip()
    reply = {"status": "ok", "execution_count": 1}
    publish("status", {"execution_state": "busy"}, message)
    if message["msg_type"] == "kernel_info_request":
        reply = {
            "status": "ok",
            "implementation": "fake\x1b[31m" * 40,
            "language_info": {"name": ["none"], "version": 1},
        }
    elif message["msg_type"] == "shutdown_request" and not stubborn:
        sys.exit()
    elif "another" in code:  # all that belongs to another request
        publish("stream", {"name": "stdout", "text": "wrong\n"}, other)
        publish("status", {"execution_state": "idle"}, other)
        session.send(socket, "execute_reply", {"status": "error", "ename": "Wrong"}, parent=other, ident=identity)
        sockets["iopub"].send_multipart([b"not", b"a", b"message"])
        forger = Session(key=b"another")
        forger.send(sockets["iopub"], "stream", {"name": "stdout", "text": "forged\n"}, parent=message)
        publish("stream", {"name": "stdout", "text": "right\n"}, message)
    if "no reply" in code:
        return
    if "aborted" in code:
        reply = {"status": "aborted"}
    if "exit" in code:
        reply["payload"] = [{"source": "ask_exit"}]
    if "odd" in code:
        publish("stream", {"name": 7, "text": {"a": 1}}, message)
        publish("display_data", {"data": {"image/png": "no base64", "text/html": ["<b>", 1], "text/plain": None}}, message)
        publish("error", {"ename": 3, "evalue": None, "traceback": [1, "\x1b[31mred\x1b[0m"]}, message)
        publish("unknown", {}, message)
        reply = {"status": "error"}
    if "stubborn" in code:
        stubborn = True
        for number in signal.SIGTERM, signal.SIGINT:
            signal.signal(number, signal.SIG_IGN)
        publish("stream", {"name": "stdout", "text": "%d\n" % os.getpid()}, message)
        time.sleep(1000)
    session.send(socket, message["msg_type"].replace("request", "reply"), reply, parent=message, ident=identity)
    if "late" in code:
        time.sleep(2.5)
        publish("stream", {"name": "stdout", "text": "late\n"}, message)
    if "no idle" not in code:
        publish("status", {"execution_state": "idle"}, message)


while True:
    for socket, _ in poller.poll():
        identity, message = session.recv(socket)
        answer(socket, identity, message)
