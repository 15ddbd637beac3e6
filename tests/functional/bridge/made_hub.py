# SPDX-License-Identifier: Apache-2.0
"""A made hub that speaks the WebSocket API of Home Assistant, for tests of the bridge. Nothing leaves 127.0.0.1.

    hub = MadeHub(version="2026.2.3").start()        # or "2024.3.3", "2021.12.10"
    hub.add("light.desk", "off", {"friendly_name": "Desk"}, unique_id="1", platform="hue", device_id="d1")
    hub.devices["d1"] = {"name": "Lamp", "identifiers": [["hue", "1"]], "area_id": "office"}
    hub.areas["office"] = {"name": "Office"}          # as floors, labels
    hub.set("light.desk", "on", {"brightness": 3})    # a change, to all that listen; `context`, `user_id`, `parent_id`
    hub.remove("light.desk"); hub.rename("light.desk", "light.table"); hub.fire("zha_event", {"command": "on"})
    hub.url, hub.token                                # for the section `home_assistant`
    hub.calls                                         # what call_service was told, each a dict; `calls_of("light.turn_on")`
    hub.commands                                      # all messages of clients, in their order
    hub.stop()

Services are in `hub.services[domain][service]` (the description), what they do in `hub.handlers["domain.service"]`: a function of
the call, whose result is the response; it may raise Refused. turn_on, turn_off and toggle change the states by themselves, with a
context of their own whose `user_id` is the token's user.

Starts: `hub.restart()` drops everybody and comes back as NOT_RUNNING with nothing but `hub.early` of its entities;
`hub.run()` brings the rest, which is in `hub.held_back`, and RUNNING. `hub.drop()` closes all connections without a word, `hub.stop()` and `start()` take the
port away and back.

Misbehaviour: `hub.overrides[type] = function(connection, message)` answers a command in place of the hub: it returns the
result, raises Refused, or returns NOTHING for no answer at all. `hub.say_all(text)`, `hub.say_bytes(payload, opcode)` send what
no hub sends; `hub.greeting = function(channel)` is in place of `auth_required` and returns False to close; `hub.clock_offset` are
seconds that its clock is ahead; a token that is not in `hub.users` is refused."""

import datetime
import itertools
import json
import threading
import time

from made_commands import Commands, NOTHING, Refused  # noqa: F401: for the tests
from made_wire import Gone, Server
from ports import free_port

TOKEN = "token.of-an.administrator"


def moment(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).isoformat()


class MadeState:
    """A state, with the times as seconds."""

    def __init__(self, entity_id, value, attributes, context, changed, updated):
        self.entity_id, self.value, self.attributes, self.context = entity_id, value, attributes, context
        self.changed, self.updated = changed, updated

    def compressed(self):
        plain = not self.context["parent_id"] and not self.context["user_id"]
        message = {"s": self.value, "a": self.attributes, "c": self.context["id"] if plain else self.context,
                   "lc": self.changed}
        if self.updated != self.changed:
            message["lu"] = self.updated
        return message

    def whole(self):
        return {"entity_id": self.entity_id, "state": self.value, "attributes": self.attributes,
                "last_changed": moment(self.changed), "last_updated": moment(self.updated), "context": self.context}


def difference(old, new):
    """The compressed change between two states, as the real hub makes it."""
    plus, minus = {}, [key for key in old.attributes if key not in new.attributes]
    if new.value != old.value:
        plus["s"] = new.value
    if new.changed != old.changed:
        plus["lc"] = new.changed
    elif new.updated != old.updated:
        plus["lu"] = new.updated
    context = {key: new.context[key] for key in ("parent_id", "user_id", "id") if new.context[key] != old.context[key]}
    if context:
        plus["c"] = context["id"] if list(context) == ["id"] else context
    attributes = {key: value for key, value in new.attributes.items()
                  if key not in old.attributes or old.attributes[key] != value}
    if attributes:
        plus["a"] = attributes
    return {"+": plus, **({"-": {"a": minus}} if minus else {})}


class Connection:
    """One client after its greeting."""

    def __init__(self, channel, user):
        self.channel, self.user = channel, user
        self.entities = {}  # number of a subscription of states: function that selects entity ids
        self.events = {}    # number: type, or "*"
        self.triggers = {}  # number: the trigger
        self.last_id = 0

    def result(self, number, result):
        self.channel.say({"id": number, "type": "result", "success": True, "result": result})

    def error(self, number, refused):
        self.channel.say({"id": number, "type": "result", "success": False,
                          "error": {"code": refused.code, "message": refused.message, **refused.more}})

    def event(self, number, event):
        self.channel.say({"id": number, "type": "event", "event": event})


class MadeHub(Commands):
    def __init__(self, version="2026.2.3", port=None, token=TOKEN, administrator=True, running=True):
        self.version = version
        self.port = port or free_port()
        self.token = token
        self.user = {"id": "0f" * 16, "name": "Bridge", "is_owner": administrator, "is_admin": administrator}
        self.users = {token: self.user}
        self.lock = threading.RLock()
        self.states, self.registry, self.devices, self.areas, self.floors, self.labels = {}, {}, {}, {}, {}, {}
        self.config = {"location_name": "Cabin", "language": "en", "time_zone": "Europe/Berlin", "latitude": 52.5,
                       "longitude": 13.4, "elevation": 34, "currency": "EUR", "country": "DE", "components": ["hue"],
                       "unit_system": {"temperature": "°C", "length": "km"}, "allowlist_external_dirs": []}
        self.running = running
        self.early, self.held_back = set(), None
        self.services = {"light": {name: {"name": name, "description": "", "fields": {}, "target": {"entity": [{}]}}
                                   for name in ("turn_on", "turn_off", "toggle")}}
        self.translations, self.handlers, self.overrides = {}, {}, {}
        self.calls, self.commands, self.fired, self.pictures = [], [], [], {}
        self.greeting = None
        self.clock_offset = 0.0
        self.requests = []  # of HTTP: method, path, query, headers
        self._contexts = itertools.count(1)
        self.connections = []
        self.server = Server(self.port, self._serve, self._answer)

    # --- The life of the hub ---

    def start(self):
        self.server.open()
        return self

    def stop(self):
        self.server.close()

    def drop(self):
        self.server.drop_all()

    def restart(self):
        """As the process there ends and starts again: nothing but the entities in `early` is there until `run`."""
        self.stop()
        with self.lock:
            self.running = False
            self.held_back = dict(self.states)
            self.states = {entity: state for entity, state in self.states.items() if entity in self.early}
        self.start()

    def run(self):
        """The rest of the entities is there, and the hub says that it has started."""
        with self.lock:
            for entity_id, state in (self.held_back or {}).items():
                if entity_id not in self.states:
                    self.set(entity_id, state.value, state.attributes)
            self.held_back = None
            self.running = True
        self.fire("homeassistant_started", {})

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def accepted(self):
        """How many TCP connections there were."""
        return self.server.accepted

    def section(self, **more):
        """For the configuration of a hub that connects to this."""
        return {"url": self.url, "token": self.token, **more}

    # --- States and the registry ---

    def now(self):
        return round(time.time() + self.clock_offset, 6)

    def context(self, user_id=None, parent_id=None):
        return {"id": f"01MADE{next(self._contexts):020d}", "parent_id": parent_id, "user_id": user_id}

    def add(self, entity_id, value, attributes=None, unique_id=None, platform="made", **entry):
        """A new entity; with a unique id it is in the registry, with `entry` as its further fields."""
        with self.lock:
            if unique_id is not None:
                self.registry[entity_id] = self.made_entry(entity_id, unique_id, platform, **entry)
                self.tell_registry("entity", {"action": "create", "entity_id": entity_id})
            if value is not None:
                self.set(entity_id, value, attributes or {})

    def set(self, entity_id, value, attributes=None, context=None, **who):
        """Writes a state. Without attributes those from before stay. Returns its context."""
        with self.lock:
            old, now = self.states.get(entity_id), self.now()
            attributes = dict(old.attributes if attributes is None and old else attributes or {})
            context = context or self.context(**who)
            if old and old.value == value and old.attributes == attributes:
                return context  # the real hub tells nobody
            changed = old.changed if old and old.value == value else now
            new = self.states[entity_id] = MadeState(entity_id, value, attributes, context, changed, now)
            self._tell_state(entity_id, old, new)
            return context

    def remove(self, entity_id, entry=True):
        with self.lock:
            old = self.states.pop(entity_id, None)
            if old:
                self._tell_state(entity_id, old, None)
            if entry and self.registry.pop(entity_id, None):
                self.tell_registry("entity", {"action": "remove", "entity_id": entity_id})

    def rename(self, old_id, new_id):
        with self.lock:
            entry = self.registry.pop(old_id)
            entry["entity_id"] = new_id
            self.registry[new_id] = entry
            state = self.states.get(old_id)
            self.remove(old_id, entry=False)
            if state:
                self.set(new_id, state.value, state.attributes)
            self.tell_registry("entity", {"action": "update", "entity_id": new_id, "old_entity_id": old_id,
                                          "changes": {"entity_id": old_id}})

    def change_entry(self, entity_id, **changes):
        with self.lock:
            self.registry[entity_id].update(changes)
            self.tell_registry("entity", {"action": "update", "entity_id": entity_id, "changes": changes})

    def tell_registry(self, which, data):
        self.fire(f"{which}_registry_updated", data)

    def _tell_state(self, entity_id, old, new):
        if new is None:
            message = {"r": [entity_id]}
        elif old is None:
            message = {"a": {entity_id: new.compressed()}}
        else:
            message = {"c": {entity_id: difference(old, new)}}
        for connection in self.connections:
            for number, selects in connection.entities.items():
                if selects(entity_id):
                    connection.event(number, message)
        self.fire("state_changed", {"entity_id": entity_id, "old_state": old and old.whole(),
                                    "new_state": new and new.whole()}, context=(new or old).context)

    def fire(self, kind, data=None, context=None, origin="LOCAL"):
        """Fires an event. Returns its context."""
        with self.lock:
            event = None
            context = context or self.context()
            for connection in self.connections:
                for number, wanted in connection.events.items():
                    if wanted in ("*", kind):
                        event = event or json.dumps({"event_type": kind, "data": data or {}, "origin": origin,
                                                     "time_fired": moment(self.now()), "context": context})
                        connection.channel.say_text('{"id":%d,"type":"event","event":%s}' % (number, event))
            return context

    def trigger(self, data=None, context=None):
        """All delegated triggers fire."""
        with self.lock:
            for connection in self.connections:
                for number in connection.triggers:
                    connection.event(number, {"variables": {"trigger": data or {"platform": "device"}},
                                              "context": context or self.context()})

    def calls_of(self, service):
        return [call for call in self.calls if f"{call['domain']}.{call['service']}" == service]

    def commands_of(self, kind):
        return [message for message in list(self.commands) if message.get("type") == kind]

    def say_all(self, message):
        """Any text or message to all clients."""
        for connection in list(self.connections):
            connection.channel.say(message)

    def say_bytes(self, payload, opcode=1):
        for connection in list(self.connections):
            connection.channel.say_bytes(payload, opcode)

    def subscriptions(self):
        """The numbers of all subscriptions of states, with their connections."""
        with self.lock:
            return [(connection, number) for connection in self.connections for number in connection.entities]

    # --- The wire ---

    def _serve(self, channel):
        if self.greeting and not self.greeting(channel):
            return
        channel.say({"type": "auth_required", "ha_version": self.version})
        try:
            greeting = json.loads(channel.receive())
            user = self.users.get(greeting.get("access_token"))
            if greeting.get("type") != "auth" or not user:
                channel.say({"type": "auth_invalid", "message": "Invalid access token or password"})
                channel.receive()
                return
            channel.say({"type": "auth_ok", "ha_version": self.version})
            connection = Connection(channel, user)
            with self.lock:
                self.connections.append(connection)
            try:
                while True:
                    message = json.loads(channel.receive())
                    for one in message if isinstance(message, list) else [message]:
                        self._handle(connection, one)
            finally:
                with self.lock:
                    self.connections.remove(connection)
        except Gone:
            pass

    def _handle(self, connection, message):
        self.commands.append(message)
        number = message.get("id", 0)
        try:
            if number <= connection.last_id:
                raise Refused("id_reuse", "Identifier values have to increase.")
            connection.last_id = number
            override = self.overrides.get(message.get("type"))
            if override:
                result = override(connection, message)
                if result is not NOTHING:
                    connection.result(number, result)
                return
            # Outside the lock, so that what a test does in a handler may wait for other threads.
            self.run_command(connection, message)
        except Refused as refused:
            connection.error(number, refused)

    def _answer(self, method, path, query, headers, body):
        """REST: the pictures of `hub.pictures[path] = (type, bytes)`, or a function of the query; and a little of /api."""
        self.requests.append((method, path, query, headers))
        if path not in self.pictures and headers.get("authorization", "").removeprefix("Bearer ") not in self.users \
                and "token=" not in query and "authSig=" not in query:
            return 401, "text/plain", b"401: Unauthorized"
        if path in self.pictures:
            picture = self.pictures[path]
            return picture(query) if callable(picture) else (200, *picture)
        answers = {"/api/": lambda: {"message": "API running."}, "/api/config": self.get_config,
                   "/api/states": lambda: [state.whole() for state in list(self.states.values())]}
        if path not in answers:
            return 404, "text/plain", b"404: Not Found"
        return 200, "application/json", json.dumps(answers[path]()).encode()
