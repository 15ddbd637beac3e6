# SPDX-License-Identifier: Apache-2.0
"""Expressions by chance: of every operator, filter, test and method, with operands that mostly fit."""

TEXTS = ["''", "'a'", "'abc'", "'Hello World'", "'5'", "'-2.5'", "'a,b,c'", "' x '", "'äö'", "'ON'"]
NUMBERS = ["0", "1", "2", "-3", "7", "10", "2.5", "-0.5", "1e3", "0.1", "100"]
NAMES = ["x", "y", "l", "value", "value_json", "value_json.list", "value_json.d", "value_json.n", "value_json.b", "rows", "nope",
         "value_json.temperature", "value_json['text']", "value_json.nope"]
TIMES = ["as_local(strptime('2026-03-29T01:30+0100', '%Y-%m-%dT%H:%M%z'))", "as_local(strptime('2026-10-25T00:30+0000', '%Y-%m-%dT%H:%M%z'))",
         "as_local(strptime('2026-10-25T01:30+0000', '%Y-%m-%dT%H:%M%z'))", "strptime('2026-10-25T00:30+0000', '%Y-%m-%dT%H:%M%z')",
         "strptime('24.11.2026', '%d.%m.%Y')", "timedelta(hours=1)", "timedelta(minutes=-90)", "timedelta(days=1.5)"]
OTHERS = ["none", "true", "false", "[]", "{}", "[1, 2, 3]", "['b', 'A', 'c']", "(1, 'a')", "{'a': 1, 'b': [2]}", "range(4)", "[[1, 'b'], [0, 'a']]"]
BINARY = ["+", "-", "*", "/", "//", "%", "~", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or"]
FILTERS = ["abs", "batch(2) | list", "capitalize", "center(9)", "count", "default('d')", "default(1, true)", "dictsort", "escape", "first", "float",
           "float(0)", "groupby(0) | list | length", "indent(2)", "int", "int(0)", "items | list", "join", "join(', ')", "last", "length", "list", "lower",
           "map('string') | list", "map('upper') | list", "map(attribute='a') | list", "max", "min", "reject('none') | list", "replace('a', 'b')",
           "reverse | list", "round", "round(1)", "round(2, 'floor')", "select | list", "select('number') | list", "selectattr('v') | list",
           "slice(2) | list", "sort", "sort(reverse=true)", "string", "sum", "title", "to_json", "tojson", "trim", "truncate(5)", "unique | list", "upper",
           "urlencode", "wordcount", "striptags", "wordwrap(5)", "filesizeformat"]
TESTS = ["defined", "undefined", "none", "number", "string", "mapping", "sequence", "iterable", "boolean", "integer", "float", "true", "false", "even",
         "odd", "divisibleby(2)", "lower", "upper", "eq(1)", "gt(1)", "in([1, 'a'])", "sameas(none)", "callable"]
METHODS = ["upper()", "lower()", "title()", "split(',')", "split()", "strip()", "find('a')", "count('a')", "startswith('a')", "replace('a', '')", "isdigit()",
           "join(['x', 'y'])", "zfill(4)", "format(1, 2)", "get('a')", "get('q', 3)", "keys() | list", "values() | list", "items() | list", "index(1)",
           "count(1)", "conjugate()", "splitlines()", "partition('b')", "center(7)", "isupper()",
           "date()", "time()", "isoformat()", "isocalendar()", "timetuple()", "replace(hour=2)", "replace(fold=1)", "strftime('%c %z')", "total_seconds()",
           "utcoffset()", "dst()", "tzname()", "weekday()", "toordinal()"]
SUBSCRIPTS = [".fold", ".days", ".tzinfo", ".year", "[0]", "[-1]", "[1:]", "[:2]", "[::-1]", "['a']", ".a", "[9]", ".0"]


class Maker:
    """One expression after another, the same for the same seed."""

    def __init__(self, random):
        self.random = random

    def leaf(self):
        return self.random.choice(self.random.choice([TEXTS, NUMBERS, NUMBERS, NAMES, NAMES, OTHERS, TIMES]))

    def expression(self, depth):
        if depth == 0:
            return self.leaf()
        kind, inner = self.random.randrange(12), lambda: self.expression(self.random.randrange(depth))
        if kind < 4:
            return f"({inner()} {self.random.choice(BINARY)} {inner()})"
        if kind < 7:
            return f"({inner()} | {self.random.choice(FILTERS)})"
        if kind == 7:
            return f"({inner()} is {self.random.choice(['', 'not '])}{self.random.choice(TESTS)})"
        if kind == 8:
            return f"({inner()}).{self.random.choice(METHODS)}"
        if kind == 9:
            return f"({inner()}){self.random.choice(SUBSCRIPTS)}"
        if kind == 10:
            return f"({inner()} if {inner()} else {inner()})"
        return self.random.choice([f"(not {inner()})", f"(-{inner()})", f"[{inner()}, {inner()}]", f"{{'a': {inner()}}}"])

    def template(self):
        if self.random.randrange(8):
            return "{{ " + self.expression(self.random.randrange(1, 4)) + " }}"
        one, two = self.expression(1), self.expression(2)
        return self.random.choice([
            "{% for i in " + two + " %}{{ i }}{{ loop.index }},{% else %}none{% endfor %}",
            "{% if " + two + " %}yes{% else %}" + "{{ " + one + " }}" + "{% endif %}",
            "{% set v = " + one + " %}{{ v }}{{ v == " + one + " }}",
            "{% set ns = namespace(v=0) %}{% for i in [1, 2] %}{% set ns.v = " + one + " %}{% endfor %}{{ ns.v }}",
            "{% macro m(a, b=" + one + ") %}{{ a }}{{ b }}{% endmacro %}{{ m(" + two + ") }}",
        ])
