# SPDX-License-Identifier: Apache-2.0
"""Every command: its output, its failures, and its effect on a running hub."""

import json
import os
import platform
import re
import subprocess

import pytest

from hub_process import BINARY, PASSWORD, add_user, create_token, free_port, wait_until, write_settings


@pytest.fixture(scope="module")
def home(module_hubs):
    return module_hubs()


def succeed(done):
    assert done.returncode == 0, done.stderr
    return done.stdout


def fail(done, *words):
    """Non-zero, nothing on standard output, and one clear line with all the words."""
    assert done.returncode not in (0, None) and done.returncode > 0, done
    assert done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    assert len(lines) == 1, done.stderr
    for word in words:
        assert word in lines[0]


def status(home, token, path="/api/states"):
    return home.anonymous.get(path, headers={"Authorization": f"Bearer {token}"}).status_code


def see(home, code, token, path="/api/states"):
    wait_until(lambda: status(home, token, path) == code, 1.5)


def run(*arguments, **environment):
    return subprocess.run([str(BINARY), *arguments], input="", capture_output=True, text=True, timeout=20,
                          env=os.environ | environment)


def test_version_prints_the_calendar_version():
    assert re.fullmatch(r"(hearth )?\d{4}\.\d{1,2}\.\d+\n", succeed(run("version")))


def test_version_for_programs():
    shown = json.loads(succeed(run("version", "--json")))
    assert shown == {
        "version": succeed(run("version")).strip(), "year": shown["year"], "month": shown["month"], "number": shown["number"],
        "architecture": platform.machine()}
    assert shown["version"] == f"{shown['year']}.{shown['month']}.{shown['number']}"
    assert 2026 <= shown["year"] and 1 <= shown["month"] <= 12 and 0 <= shown["number"]


@pytest.mark.parametrize(
    "command",
    ["", "serve", "user", "user add", "user list", "user passwd", "user activate", "user deactivate", "user role",
     "user until", "user invite", "user invitations", "user uninvite",
     "token",
     "token create", "token list", "token revoke", "check", "automation", "automation test", "version"],
)
def test_every_command_has_help(command):
    text = succeed(run(*command.split(), "--help"))
    assert "--help" in text
    if command.split()[-1:] not in (["version"], []):
        assert "--config" in text or command in ("user", "token", "automation")


@pytest.mark.parametrize("arguments", [["nonsense"], ["user", "nonsense"], ["serve", "--nonsense"], ["token", "create"],
                                       ["user", "add"], ["serve", "--port", "seventy"], ["serve", "--port", "70000"]])
def test_unknown_or_incomplete_command_fails(home, arguments):
    done = home.command(*arguments)
    assert done.returncode > 0
    assert done.stderr.strip() and done.stdout == ""


def test_no_command_fails():
    assert run().returncode > 0


def test_config_folder_comes_from_the_environment(home):
    assert "ann" in succeed(run("user", "list", HEARTH_CONFIG=str(home.folder)))


def test_impossible_folder_fails(tmp_path):
    (tmp_path / "file").write_text("")
    fail(run("user", "list", "--config", str(tmp_path / "file" / "below")))


def test_user_add_creates_a_user_who_can_have_tokens(home):
    add_user(home.folder, "berta")
    token = create_token(home.folder, "berta", "phone")
    see(home, 200, token)
    assert status(home, token, "/api/config") == 403


def test_user_add_admin(home):
    add_user(home.folder, "boss", "--admin")
    see(home, 200, create_token(home.folder, "boss", "phone"), "/api/config")


def test_user_add_read_only(home):
    add_user(home.folder, "tablet", "--read-only")
    token = create_token(home.folder, "tablet", "wall")
    see(home, 200, token)
    headers = {"Authorization": f"Bearer {token}"}
    assert home.anonymous.post("/api/states/test.tablet", json={"state": "on"}, headers=headers).status_code == 403


def test_user_add_refuses_a_name_twice(home):
    add_user(home.folder, "once")
    fail(home.command("user", "add", "once", "--password-stdin", text=PASSWORD + "\n"), "once")


@pytest.mark.parametrize("name", ["", " ", "x" * 300, "line\nbreak"])
def test_user_add_refuses_an_impossible_name(home, name):
    assert home.command("user", "add", name, "--password-stdin", text=PASSWORD + "\n").returncode > 0


def test_user_add_refuses_an_empty_password(home):
    fail(home.command("user", "add", "careless", "--password-stdin", text="\n"), "assword")
    assert "careless" not in succeed(home.command("user", "list"))


def test_user_add_refuses_both_roles(home):
    done = home.command("user", "add", "both", "--admin", "--read-only", "--password-stdin", text=PASSWORD + "\n")
    assert done.returncode > 0
    assert "both" not in succeed(home.command("user", "list"))


def test_user_list_names_everyone(home):
    text = succeed(home.command("user", "list"))
    roles = {line.split()[0]: line for line in text.splitlines()}
    assert "administrator" in roles["admin"] and "user" in roles["ann"] and "reader" in roles["display"]
    assert PASSWORD not in text and "argon2" not in text


def test_password_is_stored_only_as_a_hash(home):
    contents = [path.read_bytes() for path in home.folder.rglob("*") if path.is_file()]
    assert not any(PASSWORD.encode() in content for content in contents)
    assert any(b"$argon2id$" in content for content in contents)


def test_user_passwd_changes_the_password(home):
    def hashes():
        contents = b"".join(path.read_bytes() for path in home.folder.rglob("*") if path.is_file())
        return set(re.findall(rb"\$argon2id\$[\x21-\x7e]+", contents))

    add_user(home.folder, "forgetful")
    before = hashes()
    succeed(home.command("user", "passwd", "forgetful", "--password-stdin", text="another long password\n"))
    assert hashes() - before


@pytest.mark.parametrize("command", ["passwd", "activate", "deactivate"])
def test_user_commands_refuse_an_unknown_name(home, command):
    flags = ["--password-stdin"] if command == "passwd" else []
    fail(home.command("user", command, "nobody", *flags, text=PASSWORD + "\n"), "nobody")


def test_user_role_refuses_unknown_names_and_roles(home):
    fail(home.command("user", "role", "nobody", "reader"), "nobody")
    assert home.command("user", "role", "ann", "emperor").returncode > 0
    assert status(home, home.tokens["ann"]) == 200


def test_user_deactivate_and_activate_reach_the_running_hub(home):
    add_user(home.folder, "guest")
    token = create_token(home.folder, "guest", "phone")
    see(home, 200, token)
    succeed(home.command("user", "deactivate", "guest"))
    see(home, 401, token)
    assert "guest" in succeed(home.command("user", "list"))
    succeed(home.command("user", "activate", "guest"))
    see(home, 200, token)


def test_user_role_reaches_the_running_hub(home):
    add_user(home.folder, "riser")
    token = create_token(home.folder, "riser", "phone")
    see(home, 403, token, "/api/config")
    for role, code in (("administrator", 200), ("user", 403), ("reader", 403)):
        succeed(home.command("user", "role", "riser", role))
        see(home, code, token, "/api/config")
        assert role in next(line for line in succeed(home.command("user", "list")).splitlines() if "riser" in line)


def test_token_create_prints_the_token_alone(home):
    done = home.command("token", "create", "--user", "ann", "--name", "alone")
    assert re.fullmatch(r"[A-Za-z0-9_.\-]{43,128}\n", succeed(done))
    assert done.stdout.strip() not in done.stderr
    see(home, 200, done.stdout.strip())


@pytest.mark.parametrize("flags", [["--days", "0"], ["--days", "-1"], ["--days", "soon"], ["--days", "3", "--never"]])
def test_token_create_refuses_an_impossible_life(home, flags):
    done = home.command("token", "create", "--user", "ann", "--name", "impossible", *flags)
    assert done.returncode > 0 and done.stdout == ""
    assert "impossible" not in succeed(home.command("token", "list", "--user", "ann"))


def test_token_commands_refuse_unknown_names(home):
    fail(home.command("token", "create", "--user", "nobody", "--name", "x"), "nobody")
    fail(home.command("token", "list", "--user", "nobody"), "nobody")
    fail(home.command("token", "revoke", "--user", "nobody", "--name", "x"), "nobody")
    fail(home.command("token", "revoke", "--user", "ann", "--name", "no such token"), "no such token")


def test_token_list_and_revoke(home):
    token = create_token(home.folder, "ann", "to revoke")
    see(home, 200, token)
    assert "to revoke" in succeed(home.command("token", "list", "--user", "ann"))
    succeed(home.command("token", "revoke", "--user", "ann", "--name", "to revoke"))
    see(home, 401, token)
    assert "to revoke" not in succeed(home.command("token", "list", "--user", "ann"))


def test_check_passes_a_good_folder(home):
    succeed(home.command("check"))


def test_commands_work_before_the_first_start(tmp_path):
    folder = tmp_path / "fresh"
    folder.mkdir()
    write_settings(folder, {"demo": {"seed": 7, "speed": 0}})
    add_user(folder, "first", "--admin")
    assert create_token(folder, "first", "phone")


def test_secrets_are_for_their_owner_only(home):
    for path in home.folder.rglob("*"):
        if path.is_file() and b"argon2id" in path.read_bytes():
            assert path.stat().st_mode & 0o077 == 0, path


def test_serve_refuses_a_folder_in_use(hub_factory):
    hub = hub_factory()
    done = subprocess.run([str(BINARY), "serve", "--config", str(hub.folder), "--host", "127.0.0.1", "--port",
                           str(free_port())], capture_output=True, text=True, timeout=10)
    assert done.returncode > 0
    assert f"Another hub runs with {hub.folder} already" in done.stderr
    assert hub.admin.get("/api/states").status_code == 200


def test_serve_refuses_a_port_in_use(home, hub_factory):
    done = subprocess.run([str(BINARY), "serve", "--config", str(hub_factory.folder()), "--host", "127.0.0.1", "--port",
                           str(home.port)], capture_output=True, text=True, timeout=10)
    assert done.returncode > 0
    assert str(home.port) in done.stderr
    assert home.admin.get("/api/states").status_code == 200


@pytest.mark.parametrize("words, offered", [
    (["us"], ["user"]),
    (["user", "a"], ["activate", "add"]),
    (["user", "add", "--re"], ["--read-only"]),
    (["user", "add", "ann", "--ad"], ["--admin"]),
    (["completion", "--conf"], ["--config"]),
    (["serve", "--port", ""], []),
    (["serve", "--config", "ho"], ["home"]),
    (["restore", "ho"], ["home", "home.tar.zst"]),
    (["restore", "home.tar.zst", "--ver"], ["--verify"]),
])
def test_bash_completes(tmp_path, words, offered):
    (tmp_path / "home").mkdir()
    (tmp_path / "home.tar.zst").touch()
    script = subprocess.run([BINARY, "completion", "bash"], capture_output=True, text=True, check=True).stdout
    # Outside of a real completion, bash's compopt only complains.
    ask = f'{script}\ncompopt() {{ :; }}\nCOMP_WORDS=(hearth "$@")\nCOMP_CWORD=$#\n_hearth\nprintf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", ask, "bash", *words], cwd=tmp_path, capture_output=True, text=True)
    assert (sorted(done.stdout.split()), done.stderr) == (offered, "")
