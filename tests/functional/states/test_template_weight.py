# SPDX-License-Identifier: Apache-2.0
"""No operation of a template makes much of little: each is charged before it makes what it makes."""

import pytest

MEBIBYTE = 1024 * 1024
MOST = 160 * MEBIBYTE  # above what the hub had: lists of all that the steps allow take some 125
LONG = "{% set s = 'x' * 10000 %}"
# Templates that would make gigabytes, from texts that are allowed.
GROWING = {
    "slugify": LONG + "{{ ('a ' * 100000) | slugify(s) }}",
    "slugify, a function": LONG + "{{ slugify('a ' * 100000, separator=s) }}",
    "wordwrap": LONG + "{{ ('a ' * 100000) | wordwrap(1, wrapstring=s) }}",
    "indent by a text": LONG + "{{ ('a\n' * 100000) | indent(s) }}",
    "indent by a width": "{{ ('a\n' * 100000) | indent(10000) }}",
    "join": LONG + "{{ range(100000) | join(s) }}",
    "join, a method": LONG + "{{ s.join(range(100000) | map('string')) }}",
    "replace": LONG + "{{ ('a' * 100000).replace('a', s) }}",
    "regex_replace": LONG + "{{ ('a' * 100000) | regex_replace('a', s) }}",
    "regex_replace, groups": "{{ ('a' * 100000) | regex_replace('(a*)', '\\\\1' * 10000) }}",
    "regex_replace, a named group": "{{ ('a' * 100000) | regex_replace('(?P<n>a*)', '\\\\g<n>' * 10000) }}",
    "regex_findall, a look-ahead": "{{ ('a' * 200000) | regex_findall('(?=(a{1,60000}))') | count }}",
    "regex_findall, two": "{{ ('a' * 200000) | regex_findall('(?=(a{1,60000}))(?=(a{1,60000}))') | count }}",
    "translate": LONG + "{{ ('a' * 100000).translate({97: s}) }}",
    "expandtabs": "{{ ('\t' * 100000).expandtabs(10000) }}",
    "ljust": "{{ ['1'.ljust(1000000)] * 10000 }}",
    "center": "{{ 'a' | center(2 ** 40) }}",
    "tojson": "{{ range(100000) | list | tojson(indent=10000) }}",
    "format": LONG + "{{ ('%(a)s' * 100000) | format(a=s) }}",
    "format, a method": LONG + "{{ ('{0!r:>10}' * 100000).format(s) }}",
    "escape": "{{ ('&' * 900000) | e | e | e }}",
    "batch": "{{ [1] | batch(10000000, 'x') | list | count }}",
    "slice": "{{ [1] | slice(10000000, 'x') | list | count }}",
    "a list times a number": "{{ ([1] * 1000000) * 1000 == [1] * 1000000 }}",
    "lists of lists": "{% set n = namespace(l=[1]) %}{% for i in range(40) %}{% set n.l = [n.l, n.l] %}{% endfor %}{{ n.l | tojson }}",
    "a number with many digits": "{% set n = namespace(x=9) %}{% for i in range(60) %}{% set n.x = n.x * n.x %}{% endfor %}{{ n.x }}",
}


def most_memory(hub):
    with open(f"/proc/{hub.process.pid}/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))


@pytest.mark.unsanitized  # measures memory
@pytest.mark.contract("What a change may cost: an operation of a template")
def test_no_operation_makes_much_of_little(hub_factory):
    hub = hub_factory()
    assert hub.admin.post("/api/template", json={"template": "{{ ('ab' * 1000) | slugify | length }}"}).text == "2000"
    for name, template in GROWING.items():
        with open(f"/proc/{hub.process.pid}/clear_refs", "w") as references:
            references.write("5")  # the peak begins again
        before = most_memory(hub)
        answer = hub.admin.post("/api/template", json={"template": template})
        assert answer.status_code == 400 and answer.json()["kind"] == "limit", f"{name}: {answer.status_code} {answer.text[:200]}"
        grown = most_memory(hub) - before
        assert grown < MOST, f"{name}: {grown / MEBIBYTE:.0f} MiB"
