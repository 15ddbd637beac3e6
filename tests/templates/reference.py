# SPDX-License-Identifier: Apache-2.0
"""Python's Jinja2 with the hub's functions that differ from its own: what the hub's templates are compared with."""

import datetime
import functools
import json
import math
import re
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
            regex_findall=lambda value, find="", ignorecase=False: pattern(find, ignorecase).findall(value),
            regex_replace=lambda value, find="", replace="", ignorecase=False: pattern(find, ignorecase).sub(replace, value),
            regex_match=lambda value, find="", ignorecase=False: bool(pattern(find, ignorecase).match(value)),
            regex_search=lambda value, find="", ignorecase=False: bool(pattern(find, ignorecase).search(value)))
        # Texts that need no escaping any more are plain ones here.
        for name in ("escape", "e", "forceescape", "tojson", "safe", "xmlattr"):
            self.environment.filters[name] = plain(self.environment.filters[name])
        self.environment.globals.update(
            zip=zip, max=max, min=min, int=to_int, float=to_float, timedelta=datetime.timedelta,
            strptime=datetime.datetime.strptime, as_local=as_local)

    def render(self, template):
        """(text, None) or (None, kind of failure)."""
        try:
            return self.environment.from_string(template).render(**VARIABLES).strip(), None
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
