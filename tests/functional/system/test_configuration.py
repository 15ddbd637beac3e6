# SPDX-License-Identifier: Apache-2.0
"""configuration.yaml: errors are located, a missing file is written."""

import contextlib
import resource
import subprocess
import time
from pathlib import Path

import httpx
import pytest

from checks import survives_a_start
from hub_process import BINARY, PLAIN_HTTP, Hub, command, free_port, wait_until, write_settings

GOOD = """\
home:
  name: Test home
  latitude: 52.5
demo:
  seed: 7
  speed: 0
"""

# text of the file, the line at fault, and words that the message must have
UNKNOWN = {
    "top-level key": (GOOD + "lights: 3\n", 7, ["lights", "did you mean light"]),
    "key of home": ("home:\n  name: A\n  latitud: 1\ndemo:\n", 3, ["latitud", "did you mean latitude"]),
    "key of http": ("demo:\nhttp:\n  serverport: 80\n", 3, ["serverport", "did you mean server_port"]),
    "key of demo": ("demo:\n  sped: 0\n", 2, ["sped", "did you mean"]),
    "key of recorder": ("demo:\nrecorder:\n  comit_interval: 1s\n", 3, ["comit_interval", "did you mean commit_interval"]),
    "key of a limit": ("demo:\nhttp:\n  limits:\n    idle_tim: 1m\n", 4, ["idle_tim", "did you mean idle_time"]),
    "platform": ("demo:\nsensor:\n  - platform: rocket\n", 3, ["rocket"]),
    "section of another hub": ("demo:\ntts:\n  - platform: picotts\n", (2, 3), ["does not have it"]),
}

# What must not be guessed: it could open the home.
REFUSED = {
    "port out of range": ("http:\n  server_port: 70000\n", 2, ["server_port", "65535"]),
    "port as a word": ("http:\n  server_port: main\n", 2, ["server_port"]),
    "list for http": ("demo:\nhttp:\n  - a\n", 2, ["http"]),
    "no address": ("http:\n  server_host: [1]\n", 2, ["server_host"]),
    "no address that is a secret": ("http:\n  server_host: !secret nobody\n", 2, ["nobody"]),
    "trusted proxy that is no address": ("http:\n  trusted_proxies:\n    - 127.0.0.1\n    - proxy\n", 4,
                                         ["trusted_proxies", "proxy"]),
    "origin that is none": ("http:\n  cors_allowed_origins: [\"https://a.example/path\"]\n", 2,
                            ["cors_allowed_origins"]),
    "text for a list": ("http:\n  cors_allowed_origins: 5\n", 2, ["cors_allowed_origins"]),
    "body limit below zero": ("http:\n  max_body_size: -1\n", 2, ["max_body_size"]),
    "no frames": ("http:\n  stream_max_frames: 0\n", 2, ["stream_max_frames"]),
    "no bytes": ("http:\n  stream_max_bytes: lots\n", 2, ["stream_max_bytes"]),
    "TLS of mqtt": ("mqtt:\n  broker: a\n  certificate: auto\n  tls_insecure: perhaps\n", 4, ["tls_insecure"]),
    "TLS of the fleet": ("fleet:\n  role: portal\n  servers: tls://a:4222\n  tls: {ca: [a]}\n", 4, ["fleet.tls.ca"]),
}

BAD = {
    "text for a number": ("home:\n  latitude: north\n", 2, ["latitude", "number"]),
    "latitude out of range": ("home:\n  latitude: 91\n", 2, ["latitude", "90"]),
    "longitude out of range": ("home:\n  longitude: -181\n", 2, ["longitude", "180"]),
    "unknown time zone": ("home:\n  time_zone: Europe/Atlantis\n", 2, ["time_zone", "Atlantis"]),
    "unknown unit system": ("home:\n  unit_system: nautical\n", 2, ["unit_system", "metric"]),
    "list for a text": ("home:\n  name: [a, b]\n", 2, ["name"]),
    "text for a section": ("demo:\nhome: here\n", 2, ["home"]),
    "list for a section": ("demo:\nrecorder:\n  - a\n", 2, ["recorder"]),
    "interval without a unit": ("recorder:\n  commit_interval: often\n", 2, ["commit_interval"]),
    "speed below zero": ("demo:\n  speed: -1\n", 2, ["speed"]),
    "seed as a word": ("demo:\n  seed: lucky\n", 2, ["seed"]),
    "no URL": ("home:\n  internal_url: hub.example\n", 2, ["internal_url"]),
    "broken YAML": ("home:\n  name: [A\ndemo:\n", (2, 3, 4), []),
    "a list instead of a map": ("- home\n", 1, []),
    "tab as indentation": ("home:\n\tname: A\n", 2, []),
    "comma outside of a list": (",a: 1", 1, ["quotes"]),
    "two documents": ("home:\n---\ndemo:\n", 2, ["second document"]),
}

# In the same form: small files, or ones within the limit of size, that would exhaust memory.
BOMBS = {
    "documents without end": (",a: 1", 1, ["quotes"]),
    "aliases of aliases": ("a: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40)),
                           1, ["100,000 values"]),
    "maps merged into maps": ("a: &a0 {k: x}\n" + "".join(
        f"a{n}: &a{n} {{x{n}: {{<<: *a{n - 1}}}, y{n}: {{<<: *a{n - 1}}}}}\n" for n in range(1, 40)), 2,
                              ["100,000 values"]),
    "an alias within itself": ("a: &a [*a, *a, *a]\n", 1, ["64 levels"]),
    "brackets": ("[" * 1_000_000, 1, ["64 levels"]),
    "list items": ("- " * 500_000, 1, ["64 levels"]),
    "values": ("- \n" * 300_000, 200_001, ["100,000 values"]),
    "a long key above many values": (f"? {'k' * 500_000}\n:\n" + "  - x\n" * 80_000, 34, ["16 MiB"]),
    "aliases of a long text": (f"a: &a {'k' * 500_000}\nb:\n" + "  - *a\n" * 60_000, 1, ["16 MiB"]),
    "a long tag of many aliases": (f"a: &a !{'k' * 500_000} x\nb:\n" + "  - *a\n" * 60_000, 1, ["16 MiB"]),
}


def serve(folder):
    """Runs `serve` on a folder that must not start."""
    return subprocess.run([str(BINARY), "serve", "--config", str(folder), "--host", "127.0.0.1", "--port",
                           str(free_port())], capture_output=True, text=True, timeout=10)


def names_the_fault(text, line, words):
    """True if one line of the text names the file, the line and all the words."""
    lines = line if isinstance(line, tuple) else (line,)
    places = [f"configuration.yaml:{number}:" for number in lines]
    return any(any(place in printed for place in places) and all(word in printed for word in words)
               for printed in text.splitlines())


def check(folder, *arguments):
    """The exit code, and all that was printed."""
    done = command(folder, "check", *arguments)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.contract("Configuration: what must not be guessed")
@pytest.mark.parametrize("fault", REFUSED)
def test_what_could_open_the_home_is_named_and_stops_the_start(tmp_path, fault):
    text, line, words = REFUSED[fault]
    write_settings(tmp_path, text)
    code, printed = check(tmp_path)
    assert code == 1 and names_the_fault(printed, line, words), printed
    served = serve(tmp_path)
    assert served.returncode > 0
    assert names_the_fault(served.stderr, line, words), served.stderr


@pytest.mark.contract("Configuration: wrong values")
@pytest.mark.parametrize("fault", BAD)
def test_fault_is_named_and_the_hub_starts(tmp_path, fault):
    text, line, words = BAD[fault]
    write_settings(tmp_path, text)
    code, printed = check(tmp_path)
    assert code == 1 and names_the_fault(printed, line, words), printed
    hub = Hub(tmp_path)
    hub.wait_ready()
    hub.stop()
    assert names_the_fault("\n".join(hub.log), line, words), hub.log


@pytest.mark.contract("Configuration: unknown words")
@pytest.mark.parametrize("word", UNKNOWN)
def test_unknown_word_is_named_and_the_rest_counts(tmp_path, word):
    text, line, words = UNKNOWN[word]
    write_settings(tmp_path, text)
    code, printed = check(tmp_path)
    assert code == 0 and names_the_fault(printed, line, words), printed
    assert check(tmp_path, "--strict")[0] == 1
    hub = Hub(tmp_path)
    hub.wait_ready()
    hub.stop()
    assert names_the_fault("\n".join(hub.log), line, words), hub.log


@pytest.mark.contract("Configuration: a key twice")
def test_the_last_of_two_keys_counts(tmp_path):
    write_settings(tmp_path, "home:\n  name: A\n  name: B\n")
    code, printed = check(tmp_path)
    assert code == 0 and names_the_fault(printed, 3, ["home.name", "twice"]), printed


def watched(process, most=512 << 20, seconds=30):
    """Waits for a process, and ends it if it exceeds its time or memory."""
    deadline = time.monotonic() + seconds
    pages = 0
    while process.poll() is None:
        with contextlib.suppress(OSError, IndexError):
            pages = max(pages, int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]))
        if pages * resource.getpagesize() > most or time.monotonic() > deadline:
            process.kill()
            process.communicate()
            pytest.fail(f"did not end with {pages * resource.getpagesize() >> 20} MiB")
        time.sleep(0.002)
    return process.communicate()


@pytest.mark.parametrize("bomb", BOMBS)
def test_check_refuses_what_would_exhaust_memory(tmp_path, bomb):
    text, line, words = BOMBS[bomb]
    write_settings(tmp_path, text)
    process = subprocess.Popen([str(BINARY), "check", "--config", str(tmp_path)], text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    printed, _ = watched(process)
    assert process.returncode > 0
    assert names_the_fault(printed, line, words), printed[:2_000]
    assert len(printed) < 10_000


def test_check_accepts_what_serve_accepts(tmp_path):
    write_settings(tmp_path, GOOD)
    done = command(tmp_path, "check")
    assert done.returncode == 0, done.stdout + done.stderr


def test_check_starts_and_changes_nothing(tmp_path):
    write_settings(tmp_path, GOOD)
    command(tmp_path, "check")
    assert (tmp_path / "configuration.yaml").read_text() == GOOD


@pytest.mark.parametrize("text", ["", "# nothing\n", "demo:\n", "demo: {}\n", "home: {name: 'Häuschen'}\n"])
def test_little_is_enough(tmp_path, text):
    write_settings(tmp_path, text)
    assert command(tmp_path, "check").returncode == 0


def test_missing_file_is_written_with_comments_and_the_demo_home(tmp_path):
    folder = tmp_path / "new" / "folder"
    hub = Hub(folder)
    try:
        hub.wait_ready()
        text = (folder / "configuration.yaml").read_text(encoding="utf-8")
        assert "\ndemo:" in "\n" + text
        assert text.count("#") >= 3
        assert command(folder, "check").returncode == 0
    finally:
        hub.stop()
    hub = Hub(folder)
    hub.wait_ready()
    hub.stop()
    assert (folder / "configuration.yaml").read_text(encoding="utf-8") == text


def test_server_listens_where_the_file_says(tmp_path):
    port = free_port()
    write_settings(tmp_path, f"http:\n  server_host: 127.0.0.1\n  server_port: {port}\n{GOOD}")
    process = subprocess.Popen([str(BINARY), "serve", "--config", str(tmp_path)], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def answers():
        try:
            return httpx.get(f"http://127.0.0.1:{port}/api/", **PLAIN_HTTP).status_code == 200
        except httpx.TransportError:
            return False

    try:
        wait_until(answers, 10)
    finally:
        process.terminate()
        assert process.wait(5) == 0


def test_without_demo_there_is_no_demo_home(hub_factory):
    hub = hub_factory(demo=None)
    assert {state["entity_id"] for state in hub.admin.get("/api/states").json()} == {
        "sensor.hearth_bytes_written_today", "sun.sun", "zone.home"}
    assert "demo" not in hub.admin.get("/api/components").json()


def test_same_seed_makes_the_same_home(hub_factory):
    def home(seed):
        states = hub_factory(demo={"seed": seed, "speed": 0}).admin.get("/api/states").json()
        return {state["entity_id"]: (state["state"], state["attributes"]) for state in states if survives_a_start(state)}

    assert home(7) == home(7)
