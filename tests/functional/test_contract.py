# SPDX-License-Identifier: Apache-2.0
"""Every row of the contract has a test, and every test names a row that exists."""

import ast
import re
from pathlib import Path

from contract_rows import ROWS

HERE = Path(__file__).parent
SOURCES = HERE.parents[1] / "src"


def rows_of(decorator):
    """The rows that one decorator names: @pytest.mark.contract("Table: row")."""
    if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.contract":
        return [ast.literal_eval(argument) for argument in decorator.args]
    return []


def named_rows():
    """row → the tests that name it."""
    rows = {}
    for path in sorted(HERE.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for row in (row for decorator in node.decorator_list for row in rows_of(decorator)):
                    rows.setdefault(row, []).append(f"{path.name}::{node.name}")
    return rows


CATALOGUE = {f"{table}: {row}": unit for table, rows in ROWS.items() for row, unit in rows.items()}


def test_every_row_has_a_test():
    tested = named_rows()
    assert not [row for row, unit in CATALOGUE.items() if not unit and row not in tested]


def test_every_named_row_exists():
    assert not {row: tests for row, tests in named_rows().items() if row not in CATALOGUE}


def test_every_named_unit_test_exists():
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*_test.cpp"))
    tests = {f"{suite}.{test}" for suite, test in re.findall(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)", text, re.MULTILINE)}
    assert not [unit for unit in CATALOGUE.values() if unit and unit.removeprefix("unit: ") not in tests]
