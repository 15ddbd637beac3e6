# SPDX-License-Identifier: Apache-2.0
"""What an entity should show when its device has published a message, by its description alone: the rules of each component,
and Jinja2 for templates. It knows what Zigbee2MQTT's descriptions use."""

import json
import math
import re
from datetime import datetime
from functools import cache

import jinja2
import jinja2.sandbox

KEEP = object()  # the message says nothing of it: it stays as it was

ENVIRONMENT = jinja2.sandbox.SandboxedEnvironment(extensions=["jinja2.ext.loopcontrols"])
ENVIRONMENT.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)


@cache
def compiled(template):
    return ENVIRONMENT.from_string(template)


def render(template, payload):
    return compiled(template).render(value=payload, value_json=json.loads(payload)).strip()


def word(value):
    """As a template shows it: descriptions are compared with this."""
    return value if isinstance(value, str) else str(value)


class Near:
    """A number that differs by so much at most."""

    def __init__(self, value, tolerance):
        self.value, self.tolerance = value, tolerance

    def __eq__(self, other):
        try:
            values = zip(self.value, other, strict=True) if isinstance(self.value, (list, tuple)) else [(self.value, other)]
            return all(abs(float(one) - float(another)) <= self.tolerance for one, another in values)
        except (TypeError, ValueError):
            return False

    def __repr__(self):
        return f"about {self.value}"


def value_of(keys, payload):
    return render(keys["value_template"], payload) if "value_template" in keys else payload


def number_or_text(text):
    try:
        return Near(float(text), 1e-6)
    except ValueError:
        return text


def sensor(keys, payload):
    text = value_of(keys, payload)
    if text == "":
        return {"state": KEEP}
    if text == "None":
        return {"state": "unknown"}
    if keys.get("device_class") == "timestamp":
        return {"state": datetime.fromisoformat(text.replace("Z", "+00:00")).isoformat(timespec="seconds")}
    if "unit_of_measurement" in keys or "state_class" in keys:
        return {"state": number_or_text(text)}
    return {"state": text}


def binary_sensor(keys, payload):
    text = value_of(keys, payload)
    states = {word(keys["payload_on"]): "on", word(keys["payload_off"]): "off", "None": "unknown"}
    return {"state": states.get(text, KEEP)}


def switch(keys, payload):
    text = value_of(keys, payload)
    states = {"None": "unknown", word(keys.get("state_off", keys["payload_off"])): "off",
              word(keys.get("state_on", keys["payload_on"])): "on"}
    return {"state": states.get(text, KEEP)}


def number(keys, payload):
    text = value_of(keys, payload)
    if text == "None":
        return {"state": "unknown"}
    return {"state": number_or_text(text) if keys["min"] <= float(text) <= keys["max"] else KEEP}


def select(keys, payload):
    if "state_topic" not in keys:
        return {"state": "unknown"}
    text = value_of(keys, payload)
    if text and text in keys["options"]:
        return {"state": text}
    return {"state": "unknown" if text == "None" else KEEP}


def text(keys, payload):
    if "state_topic" not in keys:
        return {"state": "unknown"}
    shown = value_of(keys, payload)
    return {"state": "unknown" if shown == "None" else shown}


def lock(keys, payload):
    states = {word(keys["state_locked"]): "locked", word(keys["state_unlocked"]): "unlocked", "None": "unknown"}
    return {"state": states.get(value_of(keys, payload), KEEP)}


def light(keys, payload):
    message = json.loads(payload)
    state = {"ON": "on", "OFF": "off", None: "unknown"}.get(message.get("state"), KEEP)
    if state != "on":
        return {"state": state}
    attributes = {}
    if keys["brightness"] and message.get("brightness"):
        attributes["brightness"] = Near(message["brightness"] * 255 / keys["brightness_scale"], 1)
    mode = message.get("color_mode")
    if mode in keys["supported_color_modes"] and len(keys["supported_color_modes"]) > 1:
        attributes["color_mode"] = mode
        if mode == "xy" and message.get("color"):
            attributes["xy_color"] = Near([message["color"]["x"], message["color"]["y"]], 0.001)
        elif mode == "hs" and message.get("color"):
            attributes["hs_color"] = Near([message["color"]["h"], message["color"]["s"]], 0.1)
        elif mode == "color_temp" and message.get("color_temp"):
            attributes["color_temp_kelvin"] = Near(1e6 / message["color_temp"], 1)
    return {"state": state, "attributes": attributes}


def cover(keys, payload):
    attributes = {}
    for key, attribute in (("position_template", "current_position"), ("tilt_status_template", "current_tilt_position")):
        if key in keys and (shown := render(keys[key], payload)) not in ("None", ""):
            attributes[attribute] = Near(float(shown), 0.5)
    position = attributes.get("current_position")
    by_position = KEEP if position is None else "closed" if position == 0 else "open"
    if "state_topic" not in keys:
        return {"state": by_position, "attributes": attributes}
    states = {keys.get("state_opening", "opening"): "opening", keys.get("state_closing", "closing"): "closing",
              keys.get("state_open", "open"): "open", keys.get("state_closed", "closed"): "closed", "None": "unknown",
              keys.get("state_stopped", "stopped"): by_position}
    return {"state": states.get(value_of(keys, payload), KEEP), "attributes": attributes}


# Those that the domain has; devices have others beside them, which it does not show: `emergency_heating`.
HVAC_MODES = ["off", "heat", "cool", "heat_cool", "auto", "dry", "fan_only"]


def climate(keys, payload):
    attributes = {}
    for key, attribute in (("temperature_state_template", "temperature"), ("temperature_low_state_template", "target_temp_low"),
                           ("temperature_high_state_template", "target_temp_high"),
                           ("current_temperature_template", "current_temperature"),
                           ("current_humidity_template", "current_humidity"), ("action_template", "hvac_action"),
                           ("preset_mode_value_template", "preset_mode"), ("fan_mode_state_template", "fan_mode"),
                           ("swing_mode_state_template", "swing_mode")):
        if key in keys and (shown := render(keys[key], payload)) not in ("None", ""):
            attributes[attribute] = Near(float(shown), 0.06) if re.fullmatch(r"-?[0-9.]+", shown) else shown
    if "mode_state_template" not in keys:
        return {"state": KEEP, "attributes": attributes}
    shown = render(keys["mode_state_template"], payload)
    if shown in keys["modes"] and shown not in HVAC_MODES:
        return {"attributes": attributes}
    return {"state": "unknown" if shown == "None" else shown if shown in keys["modes"] else KEEP, "attributes": attributes}


def fan(keys, payload):
    shown = render(keys["state_value_template"], payload)
    state = {"ON": "on", "OFF": "off", "None": "unknown"}.get(shown, KEEP)
    attributes = {}
    speed = render(keys["percentage_value_template"], payload)
    least, most = keys["speed_range_min"], keys["speed_range_max"]
    if speed != "None" and (float(speed) == 0 or least <= float(speed) <= most):
        attributes["percentage"] = math.floor(float(speed) * 100 / (most - least + 1)) if float(speed) else 0
    if "preset_mode_value_template" in keys and (preset := render(keys["preset_mode_value_template"], payload)) != "None":
        attributes["preset_mode"] = preset
    return {"state": state, "attributes": attributes}


def update(keys, payload):
    shown = json.loads(render(keys["value_template"], payload))
    installed, latest = shown["installed_version"], shown["latest_version"]
    return {"state": "off" if installed == latest else "on",
            "attributes": {"installed_version": installed, "latest_version": latest}}


# Of an action: the parts that Zigbee2MQTT tells apart.
ACTIONS = [
    r"^((?:button_)?[a-z0-9]+)_(?P<action>(?:press|hold)(?:_release)?)$",
    r"^(?P<action>recall|scene)_([0-2][0-9]{0,2})$",
    r"^(?P<prefix>region_)([1-9]|10)_(?P<action>enter|leave|occupied|unoccupied)$",
    r"^(?P<action>dial_rotate)_(left|right)_(step|slow|fast)$",
    r"^(?P<action>brightness_step)(?:_(up|down))?$",
]


def event(keys, payload):
    action = json.loads(payload).get("action")
    if not action:
        return {"state": KEEP}
    for pattern in ACTIONS:
        if found := re.match(pattern, action):
            action = found.groupdict().get("prefix", "") + found["action"]
            break
    return {"attributes": {"event_type": action}} if action in keys["event_types"] else {"state": KEEP}


COMPONENTS = {function.__name__: function for function in (sensor, binary_sensor, switch, number, select, text, lock, light, cover,
                                                           climate, fan, update, event)}


def topics_of(keys):
    return {value for key, value in keys.items() if key.endswith("topic") and isinstance(value, str)
            and not key.endswith("command_topic") and key != "set_position_topic"}
