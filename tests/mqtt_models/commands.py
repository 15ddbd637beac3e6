# SPDX-License-Identifier: Apache-2.0
"""What the hub should publish when services are called, by an entity's description; and whether Zigbee2MQTT takes a message
to a device, by what the device exposes."""

import json
import math

from reference import HVAC_MODES, Near, compiled, word

SET = 2  # a bit of `access`
TEXTS_OF_STATE = ["on", "off", "toggle", "open", "close", "stop", "lock", "unlock"]


def rendered(template, **variables):
    return compiled(template).render(**variables).strip()


class Json:
    """A payload that is such a JSON value."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        try:
            found = json.loads(other)
        except ValueError:
            return False
        if isinstance(self.value, dict):
            return isinstance(found, dict) and found.keys() == self.value.keys() and all(self.value[key] == found[key] for key in found)
        return self.value == found

    def __repr__(self):
        return f"JSON {self.value}"


def spread(values, most=4):
    values = list(dict.fromkeys(values))
    step = max(1, len(values) / most)
    return [values[int(index * step)] for index in range(min(most, len(values)))]


def stepped(least, most, step):
    middle = least + math.floor((most - least) / 2 / step) * step
    return dict.fromkeys([least, most, round(middle, 6)])


def switch(keys):
    yield "turn_on", {}, [(keys["command_topic"], word(keys["payload_on"]))]
    yield "turn_off", {}, [(keys["command_topic"], word(keys["payload_off"]))]


def number(keys):
    for value in stepped(keys["min"], keys["max"], keys.get("step", 1)):
        yield "set_value", {"value": value}, [(keys["command_topic"], Json(Near(value, 1e-6)))]


def select(keys):
    for option in spread(keys["options"]):
        if option:
            template = keys.get("command_template", "{{ value }}")
            yield "select_option", {"option": option}, [(keys["command_topic"], rendered(template, value=option))]


def text(keys):
    yield "set_value", {"value": "some text"}, [(keys["command_topic"], "some text")]


def button(keys):
    if "payload_press" in keys:
        yield "press", {}, [(keys["command_topic"], keys["payload_press"])]


def lock(keys):
    yield "lock", {}, [(keys["command_topic"], keys.get("payload_lock", "LOCK"))]
    yield "unlock", {}, [(keys["command_topic"], keys.get("payload_unlock", "UNLOCK"))]


def light(keys):
    topic, modes = keys["command_topic"], keys["supported_color_modes"]

    def on(data, **fields):
        return "turn_on", data, [(topic, Json({"state": "ON", **fields}))]

    yield on({})
    yield "turn_off", {}, [(topic, Json({"state": "OFF"}))]
    if keys["brightness"]:
        for brightness in (1, 128, 255):
            yield on({"brightness": brightness}, brightness=Near(max(1, brightness * keys["brightness_scale"] / 255), 0.51))
    if "color_temp" in modes:
        for mireds in (keys["min_mireds"], keys["max_mireds"] if keys["max_mireds"] <= 1000 else 400):
            kelvin = round(1e6 / mireds)
            yield on({"color_temp_kelvin": kelvin}, color_temp=Near(mireds, 1))
    if "xy" in modes:
        yield on({"xy_color": [0.3, 0.4]}, color={"x": 0.3, "y": 0.4})
    if "hs" in modes:
        yield on({"hs_color": [120, 50]}, color={"h": 120, "s": 50})
    for effect in spread(keys.get("effect_list", []), 2):
        yield on({"effect": effect}, effect=effect)


def cover(keys):
    if keys.get("command_topic"):
        for service, key, usual in (("open_cover", "payload_open", "OPEN"), ("close_cover", "payload_close", "CLOSE"),
                                    ("stop_cover", "payload_stop", "STOP")):
            yield service, {}, [(keys["command_topic"], keys.get(key, usual))]
    if keys.get("set_position_topic"):
        for position in (0, 37, 100):
            wanted = rendered(keys.get("set_position_template", "{{ position }}"), position=position)
            yield "set_cover_position", {"position": position}, [(keys["set_position_topic"], wanted)]
    if keys.get("tilt_command_topic"):
        yield "set_cover_tilt_position", {"tilt_position": 40}, [(keys["tilt_command_topic"], "40")]


def climate(keys):
    for mode in keys.get("modes", []):
        if mode not in HVAC_MODES:
            continue
        wanted = rendered(keys.get("mode_command_template", "{{ value }}"), value=mode)
        yield "set_hvac_mode", {"hvac_mode": mode}, [(keys["mode_command_topic"], wanted)]
    least, most = float(keys["min_temp"]), float(keys["max_temp"])
    middle = next(iter(reversed(stepped(least, most, keys.get("temp_step", 1)))))
    if keys.get("temperature_command_topic"):
        for value in stepped(least, most, keys.get("temp_step", 1)):
            yield "set_temperature", {"temperature": value}, [(keys["temperature_command_topic"], Json(Near(value, 0.01)))]
    if keys.get("temperature_low_command_topic"):
        yield "set_temperature", {"target_temp_low": least, "target_temp_high": middle}, [
            (keys["temperature_low_command_topic"], Json(Near(least, 0.01))),
            (keys["temperature_high_command_topic"], Json(Near(middle, 0.01)))]
    for list_key, topic, service, field in (("preset_modes", "preset_mode_command_topic", "set_preset_mode", "preset_mode"),
                                            ("fan_modes", "fan_mode_command_topic", "set_fan_mode", "fan_mode"),
                                            ("swing_modes", "swing_mode_command_topic", "set_swing_mode", "swing_mode")):
        for value in keys.get(list_key, []):
            yield service, {field: value}, [(keys[topic], value)]


def fan(keys):
    yield "turn_on", {}, [(keys["command_topic"], "ON")]
    most = keys["speed_range_max"] - keys["speed_range_min"] + 1
    for percentage in (100, 1):
        value = max(keys["speed_range_min"], math.ceil(percentage * most / 100))
        wanted = rendered(keys["percentage_command_template"], value=value)
        yield "set_percentage", {"percentage": percentage}, [(keys["percentage_command_topic"], wanted)]
    for mode in keys.get("preset_modes", []):
        yield "set_preset_mode", {"preset_mode": mode}, [(keys["preset_mode_command_topic"], mode)]
    yield "turn_off", {}, [(keys["command_topic"], "OFF")]


def siren(keys):
    tone = keys["available_tones"][-1]
    data = {"tone": tone, "duration": 5} | ({"volume_level": 0.5} if keys.get("support_volume_set") else {})
    yield "turn_on", data, [(keys["command_topic"], rendered(keys["command_template"], value="ON", **data))]
    yield "turn_off", {}, [(keys["command_topic"], rendered(keys["command_off_template"], value="OFF"))]


def update(keys):
    yield "install", {}, [(keys["command_topic"], keys["payload_install"])]


COMPONENTS = {function.__name__: function
              for function in (switch, number, select, text, button, lock, light, cover, climate, fan, siren, update)}


def features(exposes):
    for expose in exposes:
        yield expose
        if expose["type"] in ("light", "switch", "lock", "cover", "fan", "climate"):
            for feature in expose["features"]:
                yield feature


def takes(expose, value):
    """True if the device takes this value."""
    kind = expose["type"]
    if kind == "binary":
        return any(type(value) is type(known) and value == known
                   for known in (expose["value_on"], expose["value_off"], expose.get("value_toggle")))
    if kind == "numeric":
        return isinstance(value, (int, float)) and expose.get("value_min", -math.inf) <= value <= expose.get("value_max", math.inf)
    if kind == "enum":
        return any(word(value) == word(known) for known in expose["values"])
    if kind == "composite":
        return isinstance(value, dict)
    return True


def problem(model, topic, payload):
    """What Zigbee2MQTT would find wrong with this message to a device; None if nothing."""
    rest = topic.removeprefix(f"zigbee2mqtt/{model['name']}/")
    if rest == topic:
        return None if topic.startswith("zigbee2mqtt/bridge/request/") else "not to the device"
    before, _, attribute = rest.partition("set")
    endpoint, attribute = before.strip("/"), attribute.strip("/")
    try:
        value = json.loads(payload)
    except ValueError:
        value = payload
    if attribute:
        message = {attribute: value}
    elif isinstance(value, dict):
        message = value
    elif str(value).lower() in TEXTS_OF_STATE:
        message = {"state": value}
    else:
        return f"neither an object nor one of {TEXTS_OF_STATE}: {payload}"
    for key, one in message.items():
        known = [expose for expose in features(model["exposes"]) if expose.get("access", 0) & SET
                 and (expose.get("property") in (key, f"{key}_{endpoint}") or expose.get("name") == key)]
        if not known:
            return f"{key} cannot be set"
        if not any(takes(expose, one) for expose in known):
            return f"{key} does not take {one!r}"
        names = {key, *(expose["name"] for expose in known), *(expose["property"] for expose in known)}
        if model["keys"] is not None and not names & set(model["keys"]):
            return f"no converter has the key {key}"
    return None
