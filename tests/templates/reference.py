# SPDX-License-Identifier: Apache-2.0
"""Python's Jinja2 with the hub's functions that differ from its own: what the hub's templates are compared with."""

import copy
import datetime
import functools
import json
import math
import operator
import re
import statistics
import zoneinfo

import jinja2
import jinja2.sandbox

MISSING = object()

VARIABLES = {
    "value": "21.5", "x": 5, "y": "abc", "l": [3, 1, 2],
    "value_json": {"temperature": 21.5, "state": "ON", "n": None, "b": True, "list": [1, 2, 3, "x"], "d": {"a": 1, "b": {"c": "z"}},
                   "text": "Hällo wörld", "big": 1e20, "neg": -3, "items": "i"},
    "rows": [{"n": "a", "v": 1}, {"n": "B", "v": 3}, {"n": "c", "v": 2, "w": None}],
}


def otherwise(value, default):
    if default is MISSING:
        raise ValueError(f"{value!r} is invalid, and there is no default")
    return default


def to_int(value, default=MISSING, base=10):
    result = jinja2.filters.do_int(value, default=MISSING, base=base)
    return otherwise(value, default) if result is MISSING else result


def to_float(value, default=MISSING):
    try:
        return float(value)
    except (ValueError, TypeError):
        return otherwise(value, default)


def rounded(value, precision=0, method="common", default=MISSING):
    try:
        scale = float(10 ** precision)
        if method == "ceil":
            result = math.ceil(float(value) * scale) / scale
        elif method == "floor":
            result = math.floor(float(value) * scale) / scale
        elif method == "half":
            result = round(float(value) * 2) / 2
        else:
            result = round(float(value), precision)
        return int(result) if precision == 0 else result
    except (ValueError, TypeError):
        return otherwise(value, default)


def plain(markup_filter):
    @functools.wraps(markup_filter)  # which keeps what Jinja2 marked it with
    def filtered(*arguments, **named):
        return str(markup_filter(*arguments, **named))
    return filtered


HOME = zoneinfo.ZoneInfo("Europe/Berlin")  # where the hubs of tests are


def as_local(time):
    return (time if time.tzinfo else time.replace(tzinfo=HOME)).astimezone(HOME)


def in_json(value):
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    raise TypeError


def only_defined(value):
    if isinstance(value, jinja2.Undefined):
        value()  # fails
    return value


def numbers(*values):
    try:
        return [float(value) for value in values]
    except TypeError as failure:
        raise ValueError from failure


def clamp(value, min_value, max_value):
    value, least, most = numbers(value, min_value, max_value)
    return max(least, min(most, value))


def wrap(value, min_value, max_value):
    value, least, most = numbers(value, min_value, max_value)
    return least if most == least else (value - least) % (most - least) + least


def remap(value, in_min, in_max, out_min, out_max, *, steps=0, edges="none"):
    value, in_min, in_max, out_min, out_max = numbers(value, in_min, in_max, out_min, out_max)
    if edges in ("wrap", "mirror"):
        if in_min == in_max:
            raise ValueError("there is no range")
        turn, value = divmod(value - in_min, in_max - in_min)
        value = (in_max - value if edges == "mirror" and turn % 2 else in_min + value)
    elif edges == "clamp":
        value = clamp(value, in_min, in_max)
    if steps <= 0 and (in_min, in_max) == (out_min, out_max):
        return value
    share = (value - in_min) / (in_max - in_min)
    return out_min + (round(share * steps) / steps if steps > 0 else share) * (out_max - out_min)


def as_sets(operation):
    def function(value, other):
        if isinstance(value, str) or isinstance(other, str):
            raise TypeError("a text is no list")
        return list(operation(set(value), set(other)))
    return function


def items_and_default(values, default):
    """Of a function that takes a row, with a default behind it, or its items."""
    if not values:
        raise TypeError("expected at least 1 argument")
    if hasattr(values[0], "__iter__"):
        return values[0], values[1] if len(values) > 1 and default is MISSING else default
    if len(values) == 1:
        raise TypeError("expected items")
    return values, default


def statistic(function):
    def of(*values, default=MISSING):
        items, default = items_and_default(values, default)
        try:
            return function(items)
        except (TypeError, statistics.StatisticsError):
            return otherwise(items, default)
    return of


def one_or_many(function):
    def of(*values, **named):
        if len(values) == 1:
            return function(values[0], **named)
        if not values:
            raise TypeError("expected at least 1 argument")
        return function(values, **named)
    return of


def flatten(value, levels=None):
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        raise TypeError("flatten expected a list")
    flat = []
    for item in value:
        deeper = hasattr(item, "__iter__") and not isinstance(item, str) and (levels is None or levels >= 1)
        flat.extend(flatten(item, None if levels is None else levels - 1) if deeper else [item])
    return flat


def combine(*dicts, recursive=False):
    if not dicts:
        raise TypeError("expected at least 1 argument")
    result = {}
    for one in dicts:
        if not isinstance(one, dict):
            raise TypeError("combine expected a dict")
        for key, value in one.items():
            both = recursive and isinstance(value, dict) and isinstance(result.get(key), dict)
            result[key] = combine(result[key], value, recursive=True) if both else value
    return result


def iif(value, if_true=True, if_false=False, if_none=MISSING):
    if value is None and if_none is not MISSING:
        return if_none
    return if_true if value else if_false


def real(function):
    def of(value, default=MISSING):
        try:
            return function(float(value))
        except (ValueError, TypeError):
            return otherwise(value, default)
    return of


def logarithm(value, base=math.e, default=MISSING):
    try:
        return math.log(float(value), float(base))
    except (ValueError, TypeError):
        return otherwise(value, default)


def calculated(operation):
    def of(value, amount, default=MISSING):
        try:
            return operation(float(value), amount)
        except (ValueError, TypeError):
            return otherwise(value, default)
    return of


def is_number(value):
    try:
        return math.isfinite(float(value))
    except (ValueError, TypeError):
        return False


def ordinal(value):
    text = str(value)
    teens = int(text[-2:]) % 100 in (11, 12, 13)
    return text + ("th" if teens else {1: "st", 2: "nd", 3: "rd"}.get(int(text[-1]), "th"))


def pattern(find, ignorecase):
    return re.compile(find, re.IGNORECASE if ignorecase else 0)


class Unfolded(jinja2.compiler.CodeGenerator):
    """Evaluates constant expressions like all others, which differ a little from what the compiler makes of them."""

    def _output_child_to_const(self, node, frame, finalize):
        if not isinstance(node, jinja2.nodes.TemplateData):
            raise jinja2.nodes.Impossible()
        return super()._output_child_to_const(node, frame, finalize)


class Reference:
    """Renders as the hub should."""

    def __init__(self):
        self.environment = jinja2.sandbox.ImmutableSandboxedEnvironment(
            extensions=["jinja2.ext.loopcontrols", "jinja2.ext.do"], optimized=False)
        self.environment.code_generator_class = Unfolded
        self.environment.policies["json.dumps_kwargs"] = {"sort_keys": True, "default": in_json}
        self.environment.filters.update(
            int=to_int, float=to_float, round=rounded, from_json=json.loads,
            to_json=lambda value: json.dumps(value, separators=(",", ":"), ensure_ascii=False, default=in_json),
            is_defined=only_defined, contains=operator.contains, is_number=is_number, ord=ord, ordinal=ordinal,
            add=calculated(operator.add), multiply=calculated(operator.mul),
            regex_findall=lambda value, find="", ignorecase=False: pattern(find, ignorecase).findall(value),
            regex_replace=lambda value, find="", replace="", ignorecase=False: pattern(find, ignorecase).sub(replace, value),
            regex_match=lambda value, find="", ignorecase=False: bool(pattern(find, ignorecase).match(value)),
            regex_search=lambda value, find="", ignorecase=False: bool(pattern(find, ignorecase).search(value)))
        # Texts that need no escaping any more are plain ones here.
        for name in ("escape", "e", "forceescape", "tojson", "safe", "xmlattr"):
            self.environment.filters[name] = plain(self.environment.filters[name])
        both = {
            "clamp": clamp, "wrap": wrap, "remap": remap, "flatten": flatten, "combine": combine, "iif": iif,
            "average": statistic(statistics.fmean), "median": statistic(statistics.median),
            "union": as_sets(operator.or_), "intersect": as_sets(operator.and_), "difference": as_sets(operator.sub),
            "symmetric_difference": as_sets(operator.xor), "typeof": lambda value: type(value).__name__,
            "apply": lambda value, function, *rest, **named: function(value, *rest, **named),
            "bitwise_and": operator.and_, "bitwise_or": operator.or_, "bitwise_xor": operator.xor,
            "sqrt": real(math.sqrt), "sin": real(math.sin), "cos": real(math.cos), "tan": real(math.tan),
            "asin": real(math.asin), "acos": real(math.acos), "atan": real(math.atan), "log": logarithm}
        self.environment.filters.update(both)
        self.environment.globals.update(both)
        self.environment.tests.update(
            list=lambda value: isinstance(value, list), set=lambda value: isinstance(value, set),
            tuple=lambda value: isinstance(value, tuple), is_number=is_number, contains=operator.contains)
        filters = jinja2.filters.FILTERS
        self.environment.globals.update(
            set=lambda value: set(value), tuple=lambda value: tuple(value), is_number=is_number,
            pi=math.pi, e=math.e, tau=math.tau,
            max=one_or_many(functools.partial(filters["max"], self.environment)),
            min=one_or_many(functools.partial(filters["min"], self.environment)))
        self.environment.globals.update(
            zip=zip, int=to_int, float=to_float, timedelta=datetime.timedelta,
            strptime=datetime.datetime.strptime, as_local=as_local)

    def render(self, template):
        """(text, None) or (None, kind of failure)."""
        try:
            return self.environment.from_string(template).render(**copy.deepcopy(VARIABLES)).strip(), None
        except jinja2.exceptions.SecurityError:
            return None, "security"
        except jinja2.exceptions.TemplateAssertionError:
            return None, "name"
        except (jinja2.exceptions.TemplateSyntaxError, SyntaxError):
            return None, "syntax"
        except jinja2.exceptions.UndefinedError:
            return None, "undefined"
        except ZeroDivisionError:
            return None, "zero_division"
        except jinja2.exceptions.TemplateRuntimeError as failure:  # map('nothing'), or a missing argument
            return None, "name" if str(failure).startswith(("No filter named", "No test named")) else "type"
        except (TypeError, AttributeError):
            return None, "type"
        except (OverflowError, RecursionError, MemoryError):
            return None, "limit"
        except (ValueError, LookupError, re.error, AssertionError):
            return None, "value"
