# SPDX-License-Identifier: Apache-2.0
"""The commands of the made hub (made_hub.py): what each version answers."""

import fnmatch
import hashlib

NOTHING = object()
# Types that the real hub lets a user receive who is no administrator.
PUBLIC_EVENTS = {"area_registry_updated", "component_loaded", "core_config_updated", "device_registry_updated",
                 "entity_registry_updated", "floor_registry_updated", "label_registry_updated", "lovelace_updated",
                 "panels_updated", "persistent_notifications_updated", "service_registered", "service_removed",
                 "shopping_list_updated", "state_changed", "themes_updated"}
SINCE = {
    "supported_features": (2022, 9), "subscribe_entities": (2022, 4), "config/entity_registry/get_entries": (2023, 2),
    "config/floor_registry/list": (2024, 4), "config/label_registry/list": (2024, 4), "execute_script": (2021, 2),
}


class Refused(Exception):
    """The answer is an error."""

    def __init__(self, code, message="", **more):
        super().__init__(message or code)
        self.code, self.message, self.more = code, message or code, more


def entity_filter(message):
    """Selects the entity ids that a subscription of states is for."""
    wanted = message.get("entity_ids")
    include, exclude = message.get("include") or {}, message.get("exclude") or {}

    def named(rule, entity_id):
        return (entity_id in rule.get("entities", ()) or entity_id.partition(".")[0] in rule.get("domains", ())
                or any(fnmatch.fnmatchcase(entity_id, glob) for glob in rule.get("entity_globs", ())))

    def selects(entity_id):
        if wanted:
            return entity_id in wanted
        return (not any(include.values()) or named(include, entity_id)) and not named(exclude, entity_id)

    return selects


class Commands:
    """Mixed into MadeHub, which has the state."""

    def since(self, year, month):
        return tuple(int(part) for part in self.version.split(".")[:2]) >= (year, month)

    def run_command(self, connection, message):
        """Answers one command. Raises Refused."""
        kind, number = message.get("type"), message["id"]
        if kind in SINCE and not self.since(*SINCE[kind]):
            raise Refused("unknown_command", "Unknown command.")
        if kind == "ping":
            connection.channel.say({"id": number, "type": "pong"})
            return
        answer = self.PLAIN.get(kind)
        if answer:
            with self.lock:
                result = answer(self, connection, message)
                connection.result(number, result)
            return
        special = self.SPECIAL.get(kind)
        if not special:
            raise Refused("unknown_command", "Unknown command.")
        special(self, connection, message)

    def administrator(self, connection):
        if not connection.user["is_admin"]:
            raise Refused("unauthorized", "Unauthorized")

    # --- What is known of the hub ---

    def get_config(self, *_):
        return {**self.config, "version": self.version, "state": "RUNNING" if self.running else "NOT_RUNNING"}

    def supported_features(self, connection, message):
        connection.channel.coalesce = bool(message.get("features", {}).get("coalesce_messages"))

    def get_services(self, *_):
        named = not self.since(2023, 8)
        return {domain: {service: {key: value for key, value in description.items()
                                   if named or key not in ("name", "description")}
                         for service, description in services.items()} for domain, services in self.services.items()}

    def get_translations(self, _, message):
        return {"resources": self.translations.get(message.get("language"), {})}

    def refresh_tokens(self, connection, _):
        return [{"id": "1", "client_name": "Hearth", "type": "long_lived_access_token", "is_current": True,
                 "created_at": "2026-01-01T00:00:00+00:00", "expire_at": connection.user.get("expire_at")}]

    # --- Registries ---

    def made_entry(self, entity_id, unique_id, platform, **more):
        entry = {"id": more.pop("id", hashlib.md5(f"{platform} {unique_id}".encode()).hexdigest()), "entity_id": entity_id,
                 "unique_id": unique_id, "platform": platform, "area_id": None, "config_entry_id": None,
                 "device_id": None, "disabled_by": None, "hidden_by": None, "entity_category": None, "icon": None,
                 "name": None, "original_name": None, "has_entity_name": False, "labels": [], "options": {},
                 "translation_key": None, "categories": {}}
        entry["extended"] = {"aliases": [], "capabilities": None, "device_class": None, "original_device_class": None,
                             "original_icon": None}
        for key, value in more.items():
            (entry["extended"] if key in entry["extended"] else entry)[key] = value
        return entry

    def entry_list(self, *_):
        new = self.since(2022, 9)
        return [{key: value for key, value in entry.items() if key != "extended" and (new or key not in ("id", "unique_id"))}
                for entry in self.registry.values()]

    def get_entries(self, _, message):
        return {entity: self.whole_entry(entity) for entity in message["entity_ids"]}

    def get_entry(self, _, message):
        entry = self.whole_entry(message["entity_id"])
        if not entry:
            raise Refused("not_found", "Entity not found")
        return entry

    def whole_entry(self, entity_id):
        entry = self.registry.get(entity_id)
        return entry and {**{key: value for key, value in entry.items() if key != "extended"}, **entry["extended"]}

    def device_list(self, *_):
        plain = {"area_id": None, "configuration_url": None, "config_entries": [], "connections": [],
                 "disabled_by": None, "entry_type": None, "hw_version": None, "identifiers": [], "labels": [],
                 "manufacturer": None, "model": None, "model_id": None, "name": None, "name_by_user": None,
                 "serial_number": None, "sw_version": None, "via_device_id": None}
        return [{**plain, **device, "id": key} for key, device in self.devices.items()]

    def area_list(self, *_):
        return [{"aliases": [], "floor_id": None, "icon": None, "labels": [], "picture": None, **area, "area_id": key}
                for key, area in self.areas.items()]

    def floor_list(self, *_):
        return [{"aliases": [], "icon": None, "level": None, **floor, "floor_id": key}
                for key, floor in self.floors.items()]

    def label_list(self, *_):
        return [{"color": None, "description": None, "icon": None, **label, "label_id": key}
                for key, label in self.labels.items()]

    # --- Subscriptions ---

    def subscribe_entities(self, connection, message):
        extra = set(message) - {"id", "type", "entity_ids"} - ({"include", "exclude"} if self.since(2026, 2) else set())
        if extra:
            raise Refused("invalid_format", f"extra keys not allowed @ data['{min(extra)}']. Got None")
        with self.lock:
            selects = entity_filter(message)
            connection.entities[message["id"]] = selects
            connection.result(message["id"], None)
            connection.event(message["id"], {"a": {entity: state.compressed() for entity, state in self.states.items()
                                                   if selects(entity)}})

    def subscribe_events(self, connection, message):
        kind = message.get("event_type", "*")
        if kind not in PUBLIC_EVENTS:
            self.administrator(connection)
        connection.events[message["id"]] = kind

    def subscribe_trigger(self, connection, message):
        self.administrator(connection)
        connection.triggers[message["id"]] = message["trigger"]

    def unsubscribe(self, connection, message):
        for known in (connection.entities, connection.events, connection.triggers):
            if known.pop(message.get("subscription"), None) is not None:
                return
        raise Refused("not_found", "Subscription not found.")

    # --- What clients do ---

    def fire_event(self, connection, message):
        self.administrator(connection)
        self.fired.append((message["event_type"], message.get("event_data")))
        return {"context": self.fire(message["event_type"], message.get("event_data"),
                                     self.context(user_id=connection.user["id"]))}

    def test_condition(self, connection, message):
        self.administrator(connection)
        return {"result": True}

    def execute_script(self, connection, message):
        self.administrator(connection)
        return {"context": self.context(user_id=connection.user["id"]), "response": None}

    def call_service(self, connection, message):
        domain, service = message["domain"], message["service"]
        name = f"{domain}.{service}"
        if "return_response" in message and not self.since(2023, 7):
            raise Refused("invalid_format", "extra keys not allowed @ data['return_response']. Got True")
        description = self.services.get(domain, {}).get(service)
        if description is None:
            raise Refused("not_found", f"Service {name} not found.",
                          translation_key="service_not_found",
                          translation_placeholders={"domain": domain, "service": service})
        data = {**(message.get("service_data") or {}), **(message.get("target") or {})}
        entities = data.get("entity_id", [])
        context = self.context(user_id=connection.user["id"])
        call = {"domain": domain, "service": service, "data": data, "context": context, "message": message,
                "entities": [entities] if isinstance(entities, str) else list(entities)}
        self.calls.append(call)
        handler = self.handlers.get(name)
        response = handler(call) if handler else self.switch(call)
        if response is NOTHING:
            return
        connection.result(message["id"], {"context": context, **({"response": response}
                                                                if message.get("return_response") else {})})

    def switch(self, call):
        """A light, a switch: the state follows; other services do nothing. Fields of the call become attributes."""
        wanted = {"turn_on": "on", "turn_off": "off"}
        with self.lock:
            for entity_id in call["entities"]:
                state = self.states.get(entity_id)
                if not state:
                    continue
                value = wanted.get(call["service"])
                if call["service"] == "toggle":
                    value = "off" if state.value == "on" else "on"
                if value is not None:
                    fields = {key: field for key, field in call["data"].items()
                              if key not in ("entity_id", "device_id", "area_id")}
                    self.set(entity_id, value, {**state.attributes, **fields}, context=call["context"])

    PLAIN = {
        "get_config": get_config, "supported_features": supported_features, "get_services": get_services,
        "frontend/get_translations": get_translations, "auth/refresh_tokens": refresh_tokens,
        "auth/current_user": lambda self, connection, _: {**connection.user, "credentials": [], "mfa_modules": []},
        "get_states": lambda self, *_: [state.whole() for state in self.states.values()],
        "config/entity_registry/list": entry_list, "config/entity_registry/get_entries": get_entries,
        "config/entity_registry/get": get_entry, "config/device_registry/list": device_list,
        "config/area_registry/list": area_list, "config/floor_registry/list": floor_list,
        "config/label_registry/list": label_list, "subscribe_events": subscribe_events,
        "subscribe_trigger": subscribe_trigger, "unsubscribe_events": unsubscribe, "fire_event": fire_event,
        "test_condition": test_condition, "execute_script": execute_script,
    }
    SPECIAL = {"subscribe_entities": subscribe_entities, "call_service": call_service}
