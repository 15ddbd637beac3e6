# SPDX-License-Identifier: Apache-2.0
"""The measurements, row by row. README.md gives the reasons."""

import json
import re
import statistics
import time
from dataclasses import dataclass, field

import client
from programs import Failure, Hub, Nginx, cpu_seconds, free_port, wait_for_port

CONNECTIONS = 64
STATE_BYTES = 327
LIST_CONNECTIONS = 8
LISTED_STATES = 10_000
ENTITY_BYTES = 345
MANY_ENTITIES = 100_000
READERS = 500
BURST = 100
SUBSCRIBERS = 1_000
CHANGES_EACH_SECOND = 200
IDLE_CONNECTIONS = 4_000
STARTS = 20
MIB = 1024 * 1024

NOT_KEPT = "recorder:\n  keep: never\n"

# With the rest of its frame about as long as STATE_BYTES. stream_reader.cpp counts the marker.
EVENT_DATA = '{"marker":"~","entity_id":"light.kitchen","brightness":180,"transition":5}'


@dataclass
class Row:
    """One line of the table. `values` are ratios, or have a unit; one for each round or start, and the median counts."""

    name: str
    text: str
    unit: str = ""
    target: float | None = None
    stretch: float | None = None
    higher_is_better: bool = False
    ours: str = ""
    rival: str = ""
    values: list = field(default_factory=list)
    failure: str = ""
    note: str = ""

    @property
    def median(self):
        return statistics.median(self.values)


def table():
    return {
        row.name: row
        for row in [
            Row("get", "GET state, CPU ÷ nginx `return 200`", target=1.2, stretch=1.0),
            Row("throughput", "GET state, requests/s ÷ nginx", target=0.9, stretch=1.0, higher_is_better=True),
            Row("post", "POST state, CPU ÷ nginx `return 200`", target=1.6, stretch=1.2),
            Row("list", "GET 10,000 states, CPU ÷ nginx sendfile", target=3.0, stretch=2.0),
            Row("stream", "stream, one frame at a time, frames/CPU s ÷ raw send", target=0.8, stretch=0.9, higher_is_better=True),
            Row("burst", "stream, 100 frames at once, frames/CPU s ÷ raw send", target=20, stretch=50, higher_is_better=True),
            Row("subscribers", "subscribe_entities, 1,000 clients, CPU for each change ÷ raw send"),
            Row("delay", "the same, from write to receipt, 99th percentile", unit="ms", target=250, stretch=50),
            Row("idle", "resident, idle", unit="MiB", target=15, stretch=10),
            Row("entities", "resident, 100,000 entities", unit="MiB", target=150, stretch=80),
            Row("restored", "resident, 100,000 entities, after a restart", unit="MiB"),
            Row("connection", "resident, for each idle connection", unit="KiB", target=8, stretch=4),
            Row("start", "ready after exec", unit="ms", target=50, stretch=20),
            Row("restart", "ready after exec, 10,000 entities restored", unit="ms", target=150),
        ]
    }


@dataclass
class Bench:
    programs: object
    binary: object
    tools: object  # the folder of the compiled helpers
    scripts: object  # the folder of this file
    rounds: int
    seconds: int

    def hub(self, name, start=True, **options):
        hub = Hub(self.programs, self.binary, name, **options)
        if hub.valid:
            hub.make_token()
        if hub.valid and start:
            hub.start()
            # The hub's own sensor would be an extra entity.
            client.request(hub.port, "DELETE", "/api/states/sensor.hearth_bytes_written_today", hub.headers())
        return hub

    def interleave(self, sides):
        """Runs each side once in every round, in alternating order; returns the samples by side."""
        samples = {name: [] for name in sides}
        for turn in range(self.rounds):
            for name in list(sides)[:: 1 if turn % 2 == 0 else -1]:
                samples[name].append(sides[name]())
        return samples


def ratios(ours, rivals):
    return [our / rival for our, rival in zip(ours, rivals)]


def micros(samples):
    return f"{statistics.median(samples) * 1e6:.2f} µs"


# ---- states in the hub


def state_body(pad, value="100"):
    return '{"state":"%s","attributes":%s}' % (value, attributes(pad))


def attributes(pad):
    return '{"unit_of_measurement":"W","friendly_name":"%s"}' % ("x" * pad)


def pad_for(hub, entity_id, size, listed=False):
    """Sets the entity; returns how much its name must be padded for `size` bytes of JSON, whole or as listed."""
    path = f"/api/states/{entity_id}"
    status, _, body = client.request(hub.port, "POST", path, hub.headers(), state_body(0))
    if status not in (200, 201):
        raise Failure(f"POST {path} was answered {status}")
    written = json.loads(body)
    context = len(json.dumps(written["context"], separators=(",", ":"))) + len(',"context":')
    pad = size - (len(body) - (context if listed else 0))
    if pad < 1:
        raise Failure(f"a state of {size} bytes is too small")
    client.request(hub.port, "POST", path, hub.headers(), state_body(pad))
    return pad


def fill(hub, count, size, listed=False):
    """Sets `count` entities by REST."""
    pad = pad_for(hub, "sensor.bench_000000", size, listed)
    client.request(hub.port, "DELETE", "/api/states/sensor.bench_000000", hub.headers())
    body = state_body(pad)
    requests = [
        client.request_text("POST", f"/api/states/sensor.bench_{i:06}", hub.headers(), body) for i in range(count)
    ]
    if (created := client.post_all(hub.port, requests, 201)) != count:
        raise Failure(f"of {count} entities {created} were created")


def check_filled(hub, count):
    """Checks that all entities exist, as after a restart; the hub may have some of its own."""
    states = json.loads(client.get(hub.port, "/api/states", hub.headers())[2])
    if sum(state["entity_id"].startswith("sensor.bench_") for state in states) != count:
        raise Failure("not all entities are there again")


# ---- requests


@dataclass
class Load:
    cpu: float  # seconds for each request
    rate: float  # requests for each second


def load(bench, server, path, connections, body_bytes, headers, arguments=()):
    """wrk on one path; fails if any answer was wrong."""
    options = [f"--header={name}: {value}" for name, value in headers.items()]
    before = cpu_seconds(server.pids)
    output = bench.programs.run(
        "wrk", "--threads=1", f"--connections={connections}", f"--duration={bench.seconds}s", "--timeout=10s",
        f"--script={bench.scripts / 'load.lua'}", *options, f"http://127.0.0.1:{server.port}{path}", "--", *arguments,
        timeout=bench.seconds + 30,
    )
    spent = cpu_seconds(server.pids) - before
    found = re.search(r"^summary ([\d ]+)$", output, re.MULTILINE)
    if not found:
        raise Failure(f"wrk said: {output}")
    requests, received, microseconds, *errors = map(int, found[1].split())
    if any(errors):
        raise Failure("{} answers were not 2xx; failed: {} connections, {} reads or writes, {} by time".format(*errors))
    if not requests or not 0.98 * body_bytes < received / requests < 1.02 * body_bytes + 600:
        raise Failure(f"{requests} answers had {received} bytes; {body_bytes} and a head were expected of each")
    return Load(spent / requests, requests / (microseconds / 1e6))


class HttpRows:
    """get, throughput, post and list: one hub with 10,000 states, and nginx with the hub's bytes."""

    STATE = "/api/states/light.bench"

    def __init__(self, bench):
        self.bench = bench
        self.hub = bench.hub("http", settings=NOT_KEPT)
        own = len(json.loads(self.fetch(self.hub, "/api/states")))  # zone.home
        fill(self.hub, LISTED_STATES - 1 - own, ENTITY_BYTES, listed=True)
        self.pad = pad_for(self.hub, "light.bench", STATE_BYTES)
        self.hub.settle()
        self.state = self.fetch(self.hub, self.STATE)
        self.states = self.fetch(self.hub, "/api/states")
        if len(json.loads(self.states)) != LISTED_STATES or len(self.state) != STATE_BYTES:
            raise Failure("the hub does not have the states that were set")
        self.nginx = Nginx(bench.programs, self.state, self.states)
        for path, body in (self.STATE, self.state), ("/api/states", self.states):
            if self.fetch(self.nginx, path) != body:
                raise Failure(f"nginx answers {path} with other bytes than the hub")

    def fetch(self, server, path):
        status, _, body = client.get(server.port, path, self.hub.headers())
        if status != 200:
            raise Failure(f"GET {path} was answered {status}")
        return body

    def get(self, server):
        return load(self.bench, server, self.STATE, CONNECTIONS, STATE_BYTES, self.hub.headers())

    def post(self):
        arguments = ['{"state":"', '","attributes":%s}' % attributes(self.pad)]
        before = json.loads(self.fetch(self.hub, self.STATE))
        done = load(self.bench, self.hub, self.STATE, CONNECTIONS, STATE_BYTES, self.hub.headers(), arguments)
        after = json.loads(self.fetch(self.hub, self.STATE))
        if after["attributes"] != before["attributes"] or after["last_changed"] <= before["last_changed"]:
            raise Failure("the state did not change")
        return done

    def measure_state(self, rows):
        sides = {"nginx": lambda: self.get(self.nginx), "get": lambda: self.get(self.hub)}
        if "post" in rows:
            sides["post"] = self.post
        samples = self.bench.interleave(sides)
        cpu = {name: [sample.cpu for sample in samples[name]] for name in sides}
        rate = {name: [sample.rate for sample in samples[name]] for name in ("nginx", "get")}
        for name in {"get", "post"} & set(rows):
            rows[name].values = ratios(cpu[name], cpu["nginx"])
            rows[name].ours, rows[name].rival = micros(cpu[name]), micros(cpu["nginx"])
        if row := rows.get("throughput"):
            row.values = ratios(rate["get"], rate["nginx"])
            row.ours, row.rival = (f"{statistics.median(rate[name]):,.0f}/s" for name in ("get", "nginx"))

    def measure_list(self, rows):
        def side(server):
            return lambda: load(
                self.bench, server, "/api/states", LIST_CONNECTIONS, len(self.states), self.hub.headers()
            ).cpu

        samples = self.bench.interleave({"nginx": side(self.nginx), "hub": side(self.hub)})
        rows["list"].values = ratios(samples["hub"], samples["nginx"])
        rows["list"].ours, rows["list"].rival = (
            f"{statistics.median(samples[name]) * 1e3:.2f} ms" for name in ("hub", "nginx")
        )


def measure_http(bench, rows):
    http = HttpRows(bench)
    if rows.keys() & {"get", "throughput", "post"}:
        http.measure_state(rows)
    if "list" in rows:
        http.measure_list(rows)
    http.hub.stop()


# ---- streams


def measure_stream(bench, rows):
    hub = bench.hub("stream")
    headers = hub.headers()

    def fire():
        client.request(hub.port, "POST", "/api/events/bench_event", headers, EVENT_DATA)

    frame = client.read_frame(hub.port, "/api/stream?restrict=bench_event", headers, fire)
    if frame.count(b"~") != 1:
        raise Failure(f"the stream sent {frame!r}")
    frame_file = bench.programs.folder / "frame"
    frame_file.write_bytes(frame)
    port = free_port()
    raw = bench.programs.start(bench.tools / "fanout", port, frame_file, log="fanout.log")
    wait_for_port(raw, port)

    def side(server_port, pid, burst):
        def deliver():
            output = bench.programs.run(bench.tools / "stream_reader", server_port, pid, hub.token, EVENT_DATA, READERS,
                                        burst, bench.seconds, timeout=bench.seconds + 60)
            frames, cpu = output.split()
            return int(frames) / float(cpu)

        return deliver

    sides = {"raw": side(port, raw.pid, 1)}
    if "stream" in rows:
        sides["stream"] = side(hub.port, hub.program.pid, 1)
    if "burst" in rows:
        sides["burst"] = side(hub.port, hub.program.pid, BURST)
    samples = bench.interleave(sides)
    for name in {"stream", "burst"} & set(rows):
        rows[name].values = ratios(samples[name], samples["raw"])
        rows[name].ours, rows[name].rival = (micros([1 / rate for rate in samples[side]]) for side in (name, "raw"))
    hub.stop()


# ---- WebSockets


def measure_subscribers(bench, rows):
    """Servers and load share both cores: 200,000 messages a second are delivered."""
    hub = bench.hub("subscribers", pinned=False)
    # The bytes that a client gets for one change, with a value as long as those of the run.
    frame = client.websocket_frame(hub.port, hub.token, lambda: client.request(
        hub.port, "POST", "/api/states/sensor.bench", hub.headers(), json.dumps({"state": f"@@{time.monotonic_ns()}@@"})))
    if frame.count(b"@@") != 2:
        raise Failure(f"the hub sent {frame!r}")
    frame_file = bench.programs.folder / "message"
    frame_file.write_bytes(frame)
    port = free_port()
    raw = bench.programs.start(bench.tools / "fanout", port, frame_file, log="fanout.log", pinned=False)
    wait_for_port(raw, port)
    delays = []

    def side(kind, server_port, pid):
        def deliver():
            output = bench.programs.run(bench.tools / "subscribers", kind, server_port, pid, hub.token, SUBSCRIBERS,
                                        CHANGES_EACH_SECOND, bench.seconds, timeout=bench.seconds + 60, pinned=False)
            messages, cpu, *times = map(float, output.split())
            if kind == "hub":
                delays.append(times)
            return cpu / messages

        return deliver

    samples = bench.interleave({"raw": side("raw", port, raw.pid), "hub": side("hub", hub.port, hub.program.pid)})
    if "subscribers" in rows:
        rows["subscribers"].values = ratios(samples["hub"], samples["raw"])
        rows["subscribers"].ours, rows["subscribers"].rival = (micros(samples[name]) for name in ("hub", "raw"))
    if "delay" in rows:
        rows["delay"].values = [p99 for _, p99, _ in delays]
        rows["delay"].ours = f"{rows['delay'].median:.1f} ms"
        rows["delay"].note = "median {:.1f} ms, longest {:.1f} ms".format(
            statistics.median(p50 for p50, _, _ in delays), max(longest for _, _, longest in delays))
    hub.stop()


# ---- memory


def resident(row, hub):
    whole, share, own = hub.memory()
    row.values = [whole / MIB]
    row.ours = f"{whole / MIB:.1f} MiB"
    row.note = f"{whole / MIB:.1f} MiB resident (VmRSS), {share / MIB:.1f} proportional (Pss), {own / MIB:.1f} its own (Uss)"


def measure_idle(bench, rows):
    hub = bench.hub("idle", demo=True, pinned=False)
    demo = hub.valid
    if not demo:
        hub = bench.hub("idle-without-demo", pinned=False)
    for path in "/api/states", "/api/config", "/api/services", "/api/events":
        if client.get(hub.port, path, hub.headers())[0] != 200:
            raise Failure(f"GET {path} failed")
    time.sleep(2)
    resident(rows["idle"], hub)
    entities = len(json.loads(client.get(hub.port, "/api/states", hub.headers())[2]))
    rows["idle"].note += f"; the demo home, {entities} entities" if demo else "; this hub has no demo home"
    hub.stop()


def measure_entities(bench, rows):
    hub = bench.hub("entities", pinned=False)
    fill(hub, MANY_ENTITIES, ENTITY_BYTES)
    hub.settle()
    if "entities" in rows:
        resident(rows["entities"], hub)
    if "restored" in rows:
        hub.stop()
        hub.start()
        hub.settle()
        resident(rows["restored"], hub)
    status, _, _ = client.get(hub.port, f"/api/states/sensor.bench_{MANY_ENTITIES - 1:06}", hub.headers())
    if status != 200:
        raise Failure("the last entity is not there")
    hub.stop()


def measure_connection(bench, rows):
    row = rows["connection"]
    hub = bench.hub("connection", pinned=False)
    pad_for(hub, "light.bench", STATE_BYTES)
    get = client.request_text("GET", "/api/states/light.bench", hub.headers())
    connections = []
    memory = []
    # The first connections use free memory; later ones show the cost of one.
    for count in IDLE_CONNECTIONS // 4, IDLE_CONNECTIONS - IDLE_CONNECTIONS // 4:
        connections += client.open_idle(hub.port, get, count)
        time.sleep(1)
        memory.append(hub.memory()[0])
    if not client.ask(connections[0], get).startswith(b"HTTP/1.1 200 "):
        raise Failure("a connection was not kept")
    for connection in connections:
        connection.close()
    row.values = [(memory[1] - memory[0]) / count / 1024]
    row.ours = f"{row.median:.2f} KiB"
    row.note = f"{len(connections):,} connections; the kernel's buffers are not in it"
    hub.stop()


# ---- start


def time_starts(row, hub):
    for _ in range(STARTS):
        hub.stop()
        row.values.append(hub.start() * 1000)
    row.ours = f"{row.median:.1f} ms"


def measure_start(bench, rows):
    hub = bench.hub("start", pinned=False)
    if "start" in rows:
        time_starts(rows["start"], hub)
    if "restart" in rows:
        fill(hub, LISTED_STATES, ENTITY_BYTES)
        time_starts(rows["restart"], hub)
        check_filled(hub, LISTED_STATES)
    hub.stop()


GROUPS = [
    ({"get", "throughput", "post", "list"}, measure_http),
    ({"stream", "burst"}, measure_stream),
    ({"subscribers", "delay"}, measure_subscribers),
    ({"idle"}, measure_idle),
    ({"entities", "restored"}, measure_entities),
    ({"connection"}, measure_connection),
    ({"start", "restart"}, measure_start),
]
