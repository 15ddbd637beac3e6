# SPDX-License-Identifier: Apache-2.0
"""Every name that templates may use is there, with Python's value, or docs/templates.md names it as absent."""

import re
from pathlib import Path

import jinja2.defaults
import pytest
from reference import Reference
from test_language import MOMENT, Renderer

DOCUMENT = (Path(__file__).parents[2] / "docs/templates.md").read_text(encoding="utf-8")
ABSENT = set(re.findall(r"`([^`]+)`", DOCUMENT[DOCUMENT.index("## Absent"):].split("\n## ")[0]))

# The public names of each of Python's types, which Python itself lists, with expressions that use them. A type is added by a line here;
# `moment` is a fixed datetime.
TYPES = {
    str: {
        "capitalize": ["'hELLO ß'.capitalize()", "'ǆ'.capitalize()"], "casefold": ["'Straße ΑΣ'.casefold()"],
        "center": ["'ab'.center(5, '*')", "'ab'.center('5')"], "count": ["'abab'.count('ab')", "'aaa'.count('a', 1)", "'a'.count()"],
        "encode": ["'ä'.encode()", "'a'.encode(5)"], "endswith": ["'abc'.endswith(('x', 'bc'))"], "expandtabs": ["'a\tb'.expandtabs(4)"],
        "find": ["'abc'.find('c', -1)", "'abc'.find(1)", "'abc'.find('a', x=1)"], "format": ["'{0!r:>5}{a[k]}'.format('a', a={'k': 1})"],
        "format_map": ["'{a}{b.c}'.format_map({'a': 5, 'b': {'c': 2}})", "'{a}'.format_map({})", "'{a}'.format_map()"],
        "index": ["'abc'.index('b')", "'abc'.index('z')"], "isalnum": ["'a²½五'.isalnum()", "'a b'.isalnum()"],
        "isalpha": ["'aªß五'.isalpha()", "'a1'.isalpha()", "'aⅧ'.isalpha()"], "isascii": ["'aä'.isascii()", "''.isascii()"],
        "isdecimal": ["'1٣'.isdecimal()", "'²'.isdecimal()"], "isdigit": ["'1²③'.isdigit()", "'½'.isdigit()"],
        "isidentifier": ["'é_1'.isidentifier()", "'1a'.isidentifier()", "''.isidentifier()"],
        "islower": ["'aªb1'.islower()", "'aǅ'.islower()", "'1'.islower()"], "isnumeric": ["'½五Ⅷ'.isnumeric()", "'a'.isnumeric()"],
        "isprintable": ["'a b'.isprintable()", "'a\u200b'.isprintable()", "''.isprintable()"], "isspace": ["' \u2003'.isspace()", "''.isspace()"],
        "istitle": ["'Ab Ǆ'.istitle()", "'ǅa B'.istitle()", "'aB'.istitle()"], "isupper": ["'AⅧ1'.isupper()", "'Aa'.isupper()"],
        "join": ["'-'.join(['a', 'b'])", "'-'.join([1])", "'-'.join()"], "ljust": ["'a'.ljust(3, '.')", "'a'.ljust(3, 'ab')"],
        "lower": ["'ÄΑΣ İ'.lower()", "'A'.lower(1)"], "lstrip": ["'xxa'.lstrip('x')"],
        "maketrans": ["'a'.maketrans('ab', 'xy', 'z')", "'a'.maketrans({'a': 'b', 1: 2})", "'a'.maketrans('ab', 'x')", "'a'.maketrans(1)"],
        "partition": ["'a-b-c'.partition('-')", "'a'.partition('')"], "removeprefix": ["'abc'.removeprefix('a')"],
        "removesuffix": ["'abc'.removesuffix('c')"], "replace": ["'aaa'.replace('a', 'b', 2)", "'a'.replace('a')"],
        "rfind": ["'abab'.rfind('ab')"], "rindex": ["'abab'.rindex('b', 0, 3)"], "rjust": ["'a'.rjust(3)"], "rpartition": ["'a-b-c'.rpartition('-')"],
        "rsplit": ["'a b c'.rsplit(maxsplit=1)", "'a b'.rsplit(x=1)"], "rstrip": ["'abb'.rstrip('b')"], "split": ["'a,b,c'.split(sep=',', maxsplit=1)"],
        "splitlines": ["'a\\nb\\x0bc\\u2028d'.splitlines()", "'a\\r\\nb'.splitlines(keepends=true)"], "startswith": ["'abc'.startswith('b', 1)"],
        "strip": ["' a '.strip()", "'xax'.strip('x')"], "swapcase": ["'aBß'.swapcase()"], "title": ["\"they're ǆ ﬁ\".title()"],
        "translate": ["'abc'.translate({97: 'z', 98: none, 99: 100})", "'abc'.translate('x' * 98)", "'abc'.translate(5)"],
        "upper": ["'aßﬁΐ'.upper()"], "zfill": ["'-5'.zfill(4)", "'٣'.zfill(3)"],
    },
    int: {
        "as_integer_ratio": ["(5).as_integer_ratio()"], "bit_count": ["(-7).bit_count()", "(2 ** 70 + 1).bit_count()"],
        "bit_length": ["(-8).bit_length()", "(2 ** 70).bit_length()", "(0).bit_length()"], "conjugate": ["(5).conjugate()"],
        "denominator": ["(5).denominator"], "from_bytes": ["(0).from_bytes([1, 2], 'big')", "(0).from_bytes((513).to_bytes(2, 'little'), 'little')",
                                                            "(0).from_bytes([255], 'big', signed=true)", "(0).from_bytes([300], 'big')"],
        "imag": ["(5).imag"], "numerator": ["(5).numerator"], "real": ["(5).real"],
        "to_bytes": ["(513).to_bytes(2, 'big')", "(-2).to_bytes(2, 'little', signed=true)", "(300).to_bytes(1, 'big')", "(-1).to_bytes(1, 'big')"],
    },
    bool: {
        "as_integer_ratio": ["true.as_integer_ratio()"], "bit_count": ["true.bit_count()"], "bit_length": ["true.bit_length()"],
        "conjugate": ["true.conjugate()"], "denominator": ["true.denominator"], "from_bytes": [], "imag": ["true.imag"], "numerator": ["true.numerator"],
        "real": ["true.real"], "to_bytes": ["true.to_bytes(1, 'big')"],
    },
    float: {
        "as_integer_ratio": ["(2.5).as_integer_ratio()", "(0.1).as_integer_ratio()", "(1e300).as_integer_ratio() | first | string | length"],
        "conjugate": ["(2.5).conjugate()"], "fromhex": ["(0.0).fromhex('0x1.8p3')", "(0.0).fromhex('-inf')", "(0.0).fromhex('x')"],
        "hex": ["(0.1).hex()", "(-2.5).hex()", "(0.0).hex()"], "imag": ["(2.5).imag"], "is_integer": ["(2.0).is_integer()", "(2.5).is_integer()"],
        "real": ["(2.5).real"],
    },
    dict: {
        "clear": ["{'a': 1}.clear()"], "copy": ["{'a': 1}.copy()"], "fromkeys": ["dict.fromkeys(['x', 'y'], 0)", "{}.fromkeys('ab')", "dict.fromkeys(1)"],
        "get": ["{'a': 1}.get('a')", "{'a': 1}.get('b', 2)", "{'a': 1}.get('b', default=2)", "{}.get()"],
        "items": ["{'a': 1}.items()", "('a', 1) in {'a': 1}.items()", "{'a': 1}.items() - {'a': 2}.items()", "{'a': 1}.items(1)"],
        "keys": ["{'a': 1}.keys()", "{'a': 1, 'b': 2}.keys() - ['a']", "{'a': 1}.keys() == set('a')", "{'a': 1}.keys() <= {'a': 2, 'b': 1}.keys()",
                 "{'a': 1}.keys() | length", "{'a': 1}.keys()[0] is defined", "{'a': 1}.keys() is iterable", "{'a': 1}.keys() is sequence",
                 "{'a': 1}.keys().isdisjoint(['b'])", "{'b': 1, 'a': 2}.keys() | sort | join", "{'a': 1}.keys() + ['b']", "{'a': 1}.keys() | last"],
        "pop": ["{'a': 1}.pop('a')"], "popitem": ["{'a': 1}.popitem()"], "setdefault": ["{'a': 1}.setdefault('a', 1)"],
        "update": ["{'a': 1}.update({})", "{'a': 1}.update is defined", "{'update': 1}.update is defined", "{'update': 1}['update']"],
        "values": ["{'a': 1}.values()", "1 in {'a': 1}.values()", "{'a': 1}.values() == {'a': 1}.values()", "{'a': 1} .values() - [1]"],
    },
    list: {
        "append": ["[1].append(2)"], "clear": [], "copy": ["[1].copy()", "[1].copy(1)"], "count": ["[1, 1.0, true, 2].count(1)"], "extend": ["[1].extend([2])"],
        "index": ["[1, 2, 1].index(1, 1)", "[1].index(2)", "[1].index(value=1)"], "insert": ["[1].insert(0, 1)"], "pop": [], "remove": ["[1].remove(1)"],
        "reverse": ["[1].reverse()"], "sort": ["[1].sort()", "[1].sort is defined"],
    },
    tuple: {"count": ["(1, 2, 1).count(1)"], "index": ["(1, 2).index(2)", "(1, 2).index(3)"]},
    set: {
        "add": ["set([1]).add(2)"], "clear": ["set([1]).clear()"], "copy": ["set([1]).copy()"], "difference": ["set([1, 2, 3]).difference([2], [3])"],
        "difference_update": ["set([1]).difference_update([1])"], "discard": ["set([1]).discard(1)"],
        "intersection": ["set([1, 2, 3]).intersection([2, 3], [3])", "set([1]).intersection(1)"],
        "intersection_update": [], "isdisjoint": ["set([1]).isdisjoint([2])"],
        "issubset": ["set([1]).issubset([1, 2])", "set([3]).issubset([1, 2])"], "issuperset": ["set([1, 2]).issuperset([1])"], "pop": ["set([1]).pop()"],
        "remove": ["set([1]).remove(1)"], "symmetric_difference": ["set([1, 2]).symmetric_difference([2, 3])"],
        "symmetric_difference_update": ["set([1]).symmetric_difference_update([1])"], "union": ["set([1]).union([2], (3,))"], "update": ["set([1]).update([1])"],
    },
}

# Of the larger hub: as a function, a filter or a test. Those of the home and of times have tests of their own.
FUNCTIONS = """acos aliases apply area_devices area_entities area_id area_name areas as_datetime as_function as_local as_timedelta as_timestamp asin atan atan2
    average bitwise_and bitwise_or bitwise_xor bool clamp closest combine config_entry_attr config_entry_id cos device_attr device_entities device_id
    device_name difference distance e entity_name expand flatten float floor_areas floor_entities floor_id floor_name floors has_value iif int
    integration_entities intersect is_device_attr is_hidden_entity is_number is_state is_state_attr issue issues label_areas label_description label_devices
    label_entities label_id label_name labels log max md5 median merge_response min natural_sort now pack pi relative_time remap set sha1 sha256 sha512
    shuffle sin slugify sqrt state_attr state_attr_translated state_translated states statistical_mode strptime symmetric_difference tan tau time_since
    time_until timedelta timedelta_string today_at tuple typeof union unpack urlencode utcnow version wrap zip""".split()
FILTERS = """acos add aliases apply area_devices area_entities area_id area_name as_datetime as_function as_local as_timedelta as_timestamp asin atan atan2
    average base64_decode base64_encode bitwise_and bitwise_or bitwise_xor bool clamp closest combine config_entry_attr config_entry_id contains cos
    device_attr device_entities device_id device_name difference entity_name expand flatten float floor_areas floor_entities floor_id floor_name from_hex
    from_json has_value iif int integration_entities intersect is_defined is_device_attr is_number label_areas label_description label_devices
    label_entities label_id label_name labels log md5 median multiply natural_sort ord ordinal pack random regex_findall regex_findall_index regex_match
    regex_replace regex_search remap round sha1 sha256 sha512 shuffle sin slugify sqrt state_attr state_attr_translated state_translated states
    statistical_mode symmetric_difference tan timedelta_string timestamp_custom timestamp_local timestamp_utc to_json today_at typeof union unpack version
    wrap""".split()
TESTS = """apply contains datetime has_value is_device_attr is_hidden_entity is_number is_state is_state_attr list match search set string_like tuple""".split()


@pytest.fixture(scope="module")
def renderer(module_hubs):
    return Renderer(module_hubs.start())


def public(names):
    return {name for name in names if not name.startswith("_")}


def rendered(renderer, expression):
    return renderer.render(MOMENT + "{{ " + expression + " }}")


@pytest.mark.parametrize("type_", TYPES, ids=lambda type_: type_.__name__)
def test_each_public_name_of_a_type_has_pythons_value(renderer, type_):
    names = public(dir(type_))
    assert set(TYPES[type_]) <= names
    assert [name for name in names - set(TYPES[type_]) if f"{type_.__name__}.{name}" not in ABSENT] == []
    reference, different = Reference(), []
    for name, expressions in TYPES[type_].items():
        for expression in expressions:
            ours, theirs = rendered(renderer, expression), reference.render(MOMENT + "{{ " + expression + " }}")
            if ours != theirs:
                different.append(f"{expression}\n  here {ours}, there {theirs}")
    assert different == [], "\n".join(different)


def test_what_is_named_as_absent_is_absent(renderer):
    for name in ABSENT:
        for shown in [f"'{name}' is filter or '{name}' is test or {name} is defined"] if name.isidentifier() else []:
            assert rendered(renderer, shown) == ("False", None), name


@pytest.mark.parametrize("kind, names", [
    ("is filter", set(FILTERS) | set(jinja2.defaults.DEFAULT_FILTERS)),
    ("is test", set(TESTS) | set(jinja2.defaults.DEFAULT_TESTS)),
    ("is defined", set(FUNCTIONS) | set(jinja2.defaults.DEFAULT_NAMESPACE))], ids=["filters", "tests", "functions"])
def test_each_name_of_jinja_and_of_the_larger_hub_is_known(renderer, kind, names):
    def known(name):
        return rendered(renderer, f"{name} {kind}" if kind == "is defined" else f"'{name}' {kind}") == ("True", None)
    assert sorted(name for name in names - ABSENT if not known(name)) == []
