# SPDX-License-Identifier: Apache-2.0
"""shell_command: commands of the configuration as services, with what the document says of them."""

import re

import pytest

from checks import assert_json, assert_message, call
from hub_process import add_user, command, create_token, wait_until
from websocket_client import WebSocketClient
from written_home import WrittenHome, example_of


@pytest.fixture
def home(hub_factory):
    return WrittenHome(hub_factory)


def test_the_example_of_the_document_works(home):
    hub = home.write(example_of("shell_command")).start()
    assert home.ask("shell_command.note") == {"stdout": "", "stderr": "", "returncode": 0}
    assert (home.folder / "notes.txt").read_text()
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        client.result("subscribe_events", event_type="told")
        subscription = client.last_id
        client.result("call_service", domain="script", service="tell")
        assert re.fullmatch(r"The kitchen is \w+", client.event(subscription)["data"]["text"])


def test_what_a_caller_sends_is_no_command(home):
    home.write("shell_command:\n  say: echo {{ x }} \"{{ y }}\"\n").start()
    assert home.ask("shell_command.say", x="; touch pwned", y="$(touch pwned) `touch pwned`")["stdout"] == "; touch pwned $(touch pwned) `touch pwned`"
    assert not (home.folder / "pwned").exists()
    assert "zero byte" in call(home.hub, "shell_command.say", {"x": "a\0b"}, status=400)


def test_hostile_commands_end_alone(home):
    home.write("""shell_command:
  prints: yes
  reads: cat
  takes: dd if=/dev/zero of=/dev/null bs=700M count=1
  forks: for i in 1 2 3 4 5 6 7 8 9; do sleep 1000 & done; echo $!
  secrets: env
  missing: no_such_program
""").start()
    assert "printed more than 16 MiB" in home.hub.admin.post("/api/services/shell_command/prints", json={}).text
    assert home.ask("shell_command.reads") == {"stdout": "", "stderr": "", "returncode": 0}
    assert home.ask("shell_command.takes")["returncode"] != 0
    child = home.ask("shell_command.forks")["stdout"]
    wait_until(lambda: is_gone(child))
    assert "HEARTH" not in home.ask("shell_command.secrets")["stdout"]
    assert home.ask("shell_command.missing")["returncode"] == 127
    assert home.hub.logged("shell_command.missing ended with code 127")


def is_gone(process):
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return ") Z " in file.read()
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_the_hub_stops_though_a_command_runs(home):
    home.write("shell_command:\n  sleeps: echo $$ > id; exec sleep 1000\n").start()
    with WebSocketClient(home.hub, home.hub.tokens["admin"]) as client:
        client.send({"id": 1, "type": "call_service", "domain": "shell_command", "service": "sleeps"})
        wait_until(lambda: (home.folder / "id").exists() and (home.folder / "id").read_text().strip())
    home.hub.stop()
    wait_until(lambda: is_gone((home.folder / "id").read_text().strip()))


def test_reload_takes_what_is_right(home):
    hub = home.write("shell_command: {a: echo 1, b: echo 1}\n").start()
    home.write("shell_command:\n  a: echo {{ x\n  c: echo 2\n  Wrong name: x\n")
    checked = command(home.folder, "check")
    assert checked.returncode == 1
    assert "shell_command.a: the template {{ is never closed" in checked.stderr
    assert "shell_command.Wrong name: expected a name" in checked.stderr
    assert_message(hub.ann.post("/api/services/shell_command/reload", json={}), 403)
    call(hub, "shell_command.reload")
    assert home.ask("shell_command.a")["stdout"] == "1"
    assert home.ask("shell_command.c")["stdout"] == "2"
    assert_message(hub.admin.post("/api/services/shell_command/b", json={}), 404)
    with WebSocketClient(hub, hub.tokens["admin"]) as client:
        wait_until(lambda: "is never closed" in str(client.result("repairs/list_issues")), 20)
    home.write("shell_command: {a: echo 3}\n")
    call(hub, "homeassistant.reload_all")
    assert home.ask("shell_command.a")["stdout"] == "3"
    assert command(home.folder, "check").returncode == 0


def test_packages_have_commands(home):
    home.write("shell_command: {a: echo 1}\n")
    text = (home.folder / "configuration.yaml").read_text().replace("home:\n", "home:\n  packages:\n    p:\n      shell_command: {b: echo 2}\n", 1)
    (home.folder / "configuration.yaml").write_text(text)
    home.start()
    assert (home.ask("shell_command.a")["stdout"], home.ask("shell_command.b")["stdout"]) == ("1", "2")


def test_only_whose_policy_names_it_calls_it(home):
    hub = home.write("shell_command: {a: echo 1, b: echo 2}\n").start()
    assert home.ask("shell_command.a", user="ann")["stdout"] == "1"
    assert_message(hub.display.post("/api/services/shell_command/a", json={}), 403)
    for name, rights in (("guest", "read: {domains: [light]}\ncontrol: {domains: [light]}\n"),
                         ("named", "read: {entities: [shell_command.a]}\ncontrol: {entities: [shell_command.a]}\n")):
        add_user(home.folder, name)
        (home.folder / "rights.yaml").write_text(rights)
        done = hub.command("user", "rights", name, "--file", str(home.folder / "rights.yaml"))
        assert done.returncode == 0, done.stderr
        hub.tokens[name] = create_token(home.folder, name, "phone")
    for name, service, allowed in (("guest", "a", False), ("named", "a", True), ("named", "b", False)):
        with hub.client(name) as client:
            wait_until(lambda client=client: client.get("/api/states").status_code == 200)
            answer = client.post(f"/api/services/shell_command/{service}?return_response", json={})
            assert (answer.status_code == 200) == allowed, answer.text
            listed = [each for each in assert_json(client.get("/api/services")) if each["domain"] == "shell_command"]
            assert (service in listed[0]["services"] if listed else False) == allowed
