# SPDX-License-Identifier: Apache-2.0
"""An app of AppDaemon: night dims a light; and what an event asks for is called, its result told in an event."""

import json

import appdaemon.plugins.hass.hassapi as hass

SENSOR, LIGHT = "binary_sensor.night", "light.kitchen"


class Dimmer(hass.Hass):
    def initialize(self):
        self.listen_state(self.night_changed, SENSOR)
        self.listen_state(self.brightness_changed, LIGHT, attribute="brightness")
        self.listen_event(self.asked, "appdaemon_ask")
        self.fire_event("appdaemon_ready")

    def night_changed(self, entity, attribute, old, new, **kwargs):
        if new == "on":
            self.turn_on(LIGHT, brightness=120)
        else:
            self.turn_off(LIGHT)

    def brightness_changed(self, entity, attribute, old, new, **kwargs):
        self.fire_event("appdaemon_heard", entity=entity, attribute=attribute, old=old, new=new)

    def asked(self, event_type, data, **kwargs):
        result = getattr(self, data["method"])(*data["arguments"], **data["options"])
        self.fire_event("appdaemon_answer", result=json.dumps(result, default=str))
