# SPDX-License-Identifier: Apache-2.0
"""Compares the documents with the repository and a running hub."""

import re
import subprocess
from pathlib import Path

import httpx
import pytest

from hub_process import BINARY, wait_until

ROOT = Path(__file__).resolve().parents[2]
README, ARCHITECTURE, API, COMMAND_LINE, DOMAINS = (
    (ROOT / name).read_text(encoding="utf-8")
    for name in ("README.md", "ARCHITECTURE.md", "docs/api.md", "docs/command-line.md", "docs/domains.md")
)


def documents():
    listed = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"]
    names = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted(name for name in names if name and (ROOT / name).is_file())


def code_blocks(text):
    return re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def without_code(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(text):
    """The fragments of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", without_code(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def described_operations():
    """(method, path) of the headings of api.md."""
    return {tuple(line.split()) for line in re.findall(r"^### `([A-Z]+ /(?:api|auth|local)/\S*)`$", API, re.MULTILINE)}


@pytest.fixture(scope="module")
def openapi(newcomer):
    return httpx.get(newcomer.hub.url + "/api/openapi.json").json()


def operations(openapi):
    return {
        (method.upper(), path): operation
        for path, methods in openapi["paths"].items()
        for method, operation in methods.items()
    }


# Links and paths


@pytest.mark.parametrize("name", documents())
def test_links_have_targets(name):
    text = without_code((ROOT / name).read_text(encoding="utf-8"))
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, fragment = link.partition("#")
        target = (ROOT / name).parent / path if path else ROOT / name
        if not target.exists():
            broken.append(link)
        elif fragment and fragment not in anchors(target.read_text(encoding="utf-8")):
            broken.append(link)
    assert not broken


def test_paths_of_the_architecture_exist():
    paths = re.findall(r"^\|.*`((?:src|tests|tools|docs)/[^`]*)` \|$", ARCHITECTURE, re.MULTILINE)
    assert len(paths) > 8
    missing = [path for path in paths if not list(ROOT.glob(re.sub(r"<\w+>", "*", path).rstrip("/")))]
    assert not missing


def test_sources_to_read_first_exist():
    names = re.findall(r"`([\w/]+(?:\.\w+|/))`", ARCHITECTURE[ARCHITECTURE.index("Read first:"):].split("Why")[0])
    assert len(names) > 4
    assert not [name for name in names if not (ROOT / "src" / name).exists()]


def test_the_architecture_fits_one_page():
    assert len(ARCHITECTURE.splitlines()) <= 75


# docs/api.md


def test_every_endpoint_is_described_and_no_other(openapi):
    assert described_operations() == set(operations(openapi))


def test_the_overview_names_every_endpoint_with_who_may(openapi):
    rows = dict(re.findall(r"^\| \[`([A-Z]+ /(?:api|auth|local)/\S*)`\]\(#\S+\) \| ([^|]*) \|", API, re.MULTILINE))
    expected = {}
    for (method, path), operation in operations(openapi).items():
        description = re.sub(r"A token with scopes needs \w+\.$", "", operation.get("description", "")).strip()
        if operation.get("security") == []:
            who = "anyone"
        elif description == "For administrators.":
            who = "administrators"
        elif description == "For administrators, and with a token of the scope metrics.":
            who = "administrators, or a token for metrics"
        elif description == "With a user's token, or the picture's own.":
            who = "any token, or the picture's"
        elif description == "A reader may call what only answers.":
            who = "any token; readers only ask"
        else:
            who = "any token" if method == "GET" else "all except readers"
        expected[f"{method} {path}"] = who
    assert rows == expected


def test_no_other_path_is_named(openapi):
    named = set(re.findall(r"`(?:[A-Z]+ )?(/api/[^`\s?]*)`", API))
    named |= set(re.findall(r"\$HUB(/api/[^\s\"?]*)", API))
    named.remove("/api/states/")  # it says that this one does not exist
    patterns = [re.sub(r"\{\w+\}", "[^/{}]+", path) for path in openapi["paths"]]
    unknown = {path for path in named if not any(re.fullmatch(pattern, path) for pattern in patterns)}
    assert not unknown - set(openapi["paths"])


def test_every_query_parameter_is_described(openapi):
    parameters = {
        parameter["name"]
        for operation in operations(openapi).values()
        for parameter in operation.get("parameters", [])
        if parameter["in"] == "query"
    }
    assert parameters
    assert not [name for name in parameters if not re.search(rf"`\??{name}\b|\?{name}=", API)]


def test_the_services_are_those_of_the_hub(newcomer, token):
    section = API[API.index("### `GET /api/services`"):API.index("### `POST /api/services/")]
    rows = re.findall(r"^\| `(\w+)` \| ((?:`\w+`|the same).*) \|$", section, re.MULTILINE)
    described = {domain: set(re.findall(r"`(\w+)`", services)) for domain, services in rows}
    described["homeassistant"] = described["platform"]
    for domain, text in re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", DOMAINS, re.MULTILINE | re.DOTALL):
        if services := set(re.findall(r"^\| `" + domain + r"\.(\w+)` \|", text, re.MULTILINE)):
            described[domain] = described.get(domain, set()) | services
    listed = httpx.get(newcomer.hub.url + "/api/services", headers={"Authorization": "Bearer " + token}).json()
    assert described == {entry["domain"]: set(entry["services"]) for entry in listed}


def examples():
    """(line, what it printed) for each `$ curl` of api.md, in its order."""
    for block in code_blocks(API):
        if block.startswith("$ curl"):
            line, answer = re.fullmatch(r"\$ ((?:[^\n]*\\\n)*[^\n]*)\n(.*)", block, re.DOTALL).groups()
            yield line, answer


def test_the_examples_answer_as_printed(newcomer, token):
    newcomer.environment["TOKEN"] = token
    for line, answer in examples():
        stream = "/api/stream" in line
        body, status = newcomer.curl(line, seconds=1 if stream else 10)
        if answer.startswith('{"message"'):
            assert body == answer.strip(), line
            assert status == (400 if "brightnes\"" in line else 200), line
            continue
        assert status in (200, 201), line
        # The printed answers are shortened and have another home's values, but the same keys.
        keys = re.findall(r'"(\w+)":', answer)
        assert stream or not [key for key in keys if f'"{key}":' not in body], line
        assert not stream or body.startswith("event: message\ndata: ping\n\n")


# docs/domains.md


def test_the_domains_are_documented_as_they_are():
    tool = ROOT / "tools/document_domains"
    done = subprocess.run([tool, "--check", BINARY], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# docs/command-line.md


USAGES = re.sub(r"\n +", " ", code_blocks(COMMAND_LINE)[0]).splitlines()


@pytest.mark.parametrize("usage", USAGES)
def test_a_command_takes_what_its_usage_says(usage):
    words = re.match(r"hearth ((?:[a-z]+(?:-[a-z]+)* ?)+)", usage)[1].split()
    shown = subprocess.run([BINARY, *words, "--help"], capture_output=True, text=True)
    assert shown.returncode == 0
    options = set(re.findall(r"^\s+(?:-h,)?(--[\w-]+)", shown.stdout, re.MULTILINE)) - {"--help", "--config"}
    assert options == set(re.findall(r"--[\w-]+", usage))
    assert set(re.findall(r"\b(NAME|ROLE|FILE)\b", usage.split("--")[0])) == set(
        re.findall(r"^  (NAME|ROLE|FILE)\b", shown.stdout, re.MULTILINE)
    )


def test_every_command_has_its_usage():
    described = {re.match(r"hearth ((?:[a-z]+(?:-[a-z]+)* ?)+)", usage)[1].strip() for usage in USAGES}
    found = set()
    for command in subcommands():
        deeper = subcommands(command)
        found |= {f"{command} {name}" for name in deeper} or {command}
    assert described == found


def subcommands(*words):
    shown = subprocess.run([BINARY, *words, "--help"], capture_output=True, text=True, check=True).stdout
    _, _, listed = shown.partition("Subcommands:\n")
    return re.findall(r"^  ([\w-]+)", listed, re.MULTILINE)


# README.md


def lines_of_readme(start):
    return [line for block in code_blocks(README) for line in block.splitlines() if line.startswith(start)]


@pytest.fixture(scope="module")
def token(newcomer):
    """Created as README.md says: a user, whose password is asked for, and a token of that user."""
    (user,) = lines_of_readme("hearth user add")
    (made,) = lines_of_readme("TOKEN=$(hearth ")
    newcomer.make_user(user.replace("hearth", str(BINARY), 1))
    done = newcomer.run(made.replace("hearth", str(BINARY), 1) + '; echo "$TOKEN"')
    text = done.stdout.strip()
    assert len(text) == 43, done.stderr
    # The running hub sees it within a second.
    headers = {"Authorization": "Bearer " + text}
    wait_until(lambda: httpx.get(newcomer.hub.url + "/api/states", headers=headers).status_code == 200)
    return text


@pytest.mark.parametrize("line", lines_of_readme("curl"))
def test_a_line_of_the_readme_works_as_printed(newcomer, token, line):
    newcomer.environment["TOKEN"] = token
    stream = " -N " in line
    body, status = newcomer.curl(line, seconds=1 if stream else 10)
    assert status in (200, 201) if "/api/states/" in line and " -d " in line else status == 200, body
    assert not stream or body.startswith("event: message\ndata: ping\n\n")


def test_the_readme_has_lines_to_try():
    assert len(lines_of_readme("curl")) >= 5


def test_the_two_commands_are_there():
    (commands,) = (block for block in code_blocks(README) if block.startswith("./run"))
    for line in commands.splitlines():
        command = ROOT / line.split()[0]
        assert command.is_file() and command.stat().st_mode & 0o111
