# SPDX-License-Identifier: Apache-2.0
"""tools/check_sources on fake trees."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LICENCE = "SPDX-License-Identifier: Apache-2.0"


def write(tree, path, text):
    (tree / path).parent.mkdir(parents=True, exist_ok=True)
    (tree / path).write_bytes(text.encode() if isinstance(text, str) else text)


def check(tree):
    """The lines that the check prints; its exit code must match them."""
    done = subprocess.run([ROOT / "tools/check_sources", tree], capture_output=True, text=True)
    assert done.stderr == ""
    assert done.returncode == (1 if done.stdout else 0)
    return done.stdout.splitlines()


def test_this_repository_passes():
    assert check(ROOT) == []


def test_sources_with_the_licence_pass(tmp_path):
    write(tmp_path, "a.cpp", f"// {LICENCE}\nint a;\n")
    write(tmp_path, "a.h", f"// {LICENCE}\n#pragma once\n")
    write(tmp_path, "CMakeLists.txt", f"# {LICENCE}\n")
    write(tmp_path, "tool", f"#!/bin/sh\n# {LICENCE}\n")
    write(tmp_path, "README.md", "no licence line \n")
    write(tmp_path, "picture.png", b"\x89PNG\xff\t ")
    assert check(tmp_path) == []


@pytest.mark.parametrize("name", ["a.cpp", "a.ts", "a.py", "a.sh", "a.cmake", "CMakeLists.txt", "tool"])
def test_a_source_without_the_licence_is_reported(tmp_path, name):
    comment = "//" if name in ("a.cpp", "a.ts") else "#"
    write(tmp_path, name, "#!/bin/sh\n" if name == "tool" else "")
    assert check(tmp_path) == [f"{name}:1: expected `{comment} {LICENCE}` first"]


@pytest.mark.parametrize(("names", "sources", "files"), [
    ([f"src/core/s{i}.h" for i in range(41)], 41, 41),
    ([f"web/src/views/s{i}.ts" for i in range(41)], 41, 41),
    ([f"tests/web/home/s{i}.spec.ts" for i in range(41)], 41, 41),
    ([f"src/core/s{i}.h" for i in range(30)] + [f"src/core/s{i}_test.cpp" for i in range(31)], 30, 61)])
def test_a_folder_with_more_files_than_one_looks_through_is_reported(tmp_path, names, sources, files):
    for name in names:
        write(tmp_path, name, f"// {LICENCE}\n#pragma once\n")
    folder = names[0].rpartition("/")[0]
    assert check(tmp_path) == [f"{folder}: {sources} files, {files} with tests; at most 40 and 60: divide it"]


def test_folders_with_as_many_files_as_allowed_pass(tmp_path):
    for name in [*(f"src/core/s{i}.h" for i in range(40)), *(f"src/core/s{i}_test.cpp" for i in range(20)),
                 *(f"src/domains/kinds/k{i}.h" for i in range(80)), *(f"src/core/bus/b{i}.h" for i in range(40))]:
        write(tmp_path, name, f"// {LICENCE}\n#pragma once\n")
    assert check(tmp_path) == []


def test_a_long_line_of_a_document_is_reported_unless_it_cannot_be_wrapped(tmp_path):
    wide = "a " * 61 + "b"
    text = f"# {wide}\n\n| {wide} |\n\n```\n{wide}\n```\n"
    write(tmp_path, "docs/x.md", text)
    write(tmp_path, "docs/decisions/0001-x.md", wide + "\n")
    assert check(tmp_path) == []
    write(tmp_path, "docs/automations/y.md", f"{text}\n{wide}\n")
    assert check(tmp_path) == ["docs/automations/y.md:9: longer than 120 characters; wrap it"]


def test_the_licence_comes_first(tmp_path):
    write(tmp_path, "a.py", f'"""A text."""\n# {LICENCE}\n')
    assert check(tmp_path) == [f"a.py:1: expected `# {LICENCE}` first"]


def test_a_header_is_included_once(tmp_path):
    write(tmp_path, "a.h", f"// {LICENCE}\n")
    assert check(tmp_path) == ["a.h:1: expected `#pragma once`"]


def test_untidy_lines_are_reported(tmp_path):
    write(tmp_path, "a.py", f"# {LICENCE}\na = 1 \n\tb = 2\r\nc = 3")
    assert check(tmp_path) == [
        "a.py:2: white space at the end of the line",
        "a.py:3: a tab; write spaces, or \\t in a text",
        "a.py:4: no line end at the end of the file",
    ]


def test_a_source_is_not_too_long(tmp_path):
    write(tmp_path, "src/a.cpp", f"// {LICENCE}\n" * 400)
    assert check(tmp_path) == []
    write(tmp_path, "src/a.cpp", f"// {LICENCE}\n" * 401)
    assert check(tmp_path) == ["src/a.cpp:401: more than 400 lines; split it"]


@pytest.mark.parametrize("gone", [
    "*hub.services()", "*load()", "read(x).value()", "store_.tokens(user).value()", 'parse(text)->at("rows").as_array()',
    "base::parse(a(b)).value().get_object()",
])
@pytest.mark.parametrize("head", ["const auto& [key, each]", "const auto n = f(); auto each", "const std::array<int, f(2)>&\n each"])
def test_a_loop_over_a_part_of_what_is_gone_is_reported(tmp_path, gone, head):
    write(tmp_path, "a.cpp", f"// {LICENCE}\n\nfor ({head} : {gone}) use(each);\n")
    assert check(tmp_path) == ["a.cpp:3: a loop over a part of what a call returned; give that a name first"]


@pytest.mark.parametrize("kept", [
    "hub.services()", "*services", "*(found)", "(*dict)->entries()", "(*whole.get<DictPtr>())->entries()", "data.at(\"item\").get_array()",
    "node->items()", "names.of(id)", "{f(1).value(), 2}", "dict_of(whole).entries()", "answer->at(0).at(1).as_array()",
])
def test_other_loops_pass(tmp_path, kept):
    write(tmp_path, "a.cpp", f"// {LICENCE}\nfor (const auto& each : {kept}) use(each);\nfor (int i = 0; i < f(x).value(); ++i) use(i);\n")
    assert check(tmp_path) == []


def test_a_function_of_a_library_is_looked_for_by_its_own_name(tmp_path):
    row = 'decltype(&PQclear) clear ={}library.find("{}");\n'
    write(tmp_path, "a.cpp", f"// {LICENCE}\n" + row.format(" ", "PQclear") + row.format("\n    ", "PQclear"))
    assert check(tmp_path) == []
    write(tmp_path, "a.cpp", f"// {LICENCE}\n" + row.format(" ", "PQclean") + row.format("\n    ", "clear"))
    assert check(tmp_path) == [f"a.cpp:{line}: the function is looked for by another name than its own" for line in (2, 3)]


@pytest.mark.parametrize("word", ["What", "Whether", "Those", "Who", "One that"])
def test_a_comment_says_its_subject_first(tmp_path, word):
    write(tmp_path, "src/a.cpp", f"// {LICENCE}\n  // {word} is gone.\nint a;  // {word} stays\n")
    write(tmp_path, "tools/a.py", f'# {LICENCE}\n"""{word} is gone."""\n# Nobody asks {word}.\n')
    write(tmp_path, "tests/a.py", f'# {LICENCE}\n"""{word} is gone."""\n')
    said = f"a comment that begins with {word}; say its subject first"
    assert check(tmp_path) == [f"src/a.cpp:2: {said}", f"tools/a.py:2: {said}"]


def test_a_source_is_utf8(tmp_path):
    write(tmp_path, "a.py", b"# \xfc\n")
    assert check(tmp_path) == ["a.py: is not UTF-8"]


def test_files_that_git_ignores_are_skipped(tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    write(tmp_path, ".gitignore", "/build/\n")
    write(tmp_path, "build/a.py", "")
    write(tmp_path, "b.py", "")
    assert check(tmp_path) == [f"b.py:1: expected `# {LICENCE}` first"]
