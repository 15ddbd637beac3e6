// SPDX-License-Identifier: Apache-2.0
#include "api/schemas.h"

namespace hearth::api {
namespace {

constexpr std::string_view kSchemas = R"json({
  "EntityIds": {
    "type": "string",
    "description": "Entity ids, in any case, separated by commas.",
    "pattern": "^(?=[^.,]{1,64}[.])(?=[^,]{1,255}(,|$))[A-Za-z0-9]+(_[A-Za-z0-9]+)*[.][A-Za-z0-9]+(_[A-Za-z0-9]+)*(,(?=[^.,]{1,64}[.])(?=[^,]{1,255}(,|$))[A-Za-z0-9]+(_[A-Za-z0-9]+)*[.][A-Za-z0-9]+(_[A-Za-z0-9]+)*)*$",
    "example": "light.kitchen,sensor.outdoor_temperature"
  },
  "Line": {"type": "string", "description": "Without control characters.", "pattern": "^[^\\x00-\\x1f\\x7f]*$"},
  "Message": {
    "type": "object",
    "description": "A confirmation, or what went wrong.",
    "required": ["message"],
    "properties": {"message": {"type": "string", "example": "API running."}}
  },
  "Timestamp": {
    "type": "string",
    "format": "date-time",
    "description": "UTC, with six digits of fraction and the offset.",
    "example": "2026-11-21T08:00:00.000000+00:00"
  },
  "Context": {
    "type": "object",
    "description": "Who or what caused a change.",
    "required": ["id", "parent_id", "user_id"],
    "properties": {
      "id": {"type": "string", "description": "A ULID."},
      "parent_id": {"type": ["string", "null"]},
      "user_id": {"type": ["string", "null"]}
    }
  },
  "ListedState": {
    "type": "object",
    "required": ["entity_id", "state", "attributes", "last_changed", "last_updated"],
    "properties": {
      "entity_id": {"type": "string", "pattern": "^[a-z0-9]+(_[a-z0-9]+)*\\.[a-z0-9]+(_[a-z0-9]+)*$", "maxLength": 255},
      "state": {"type": "string", "maxLength": 255},
      "attributes": {"type": "object"},
      "last_changed": {"$ref": "#/components/schemas/Timestamp"},
      "last_updated": {"$ref": "#/components/schemas/Timestamp"}
    }
  },
  "State": {
    "allOf": [
      {"$ref": "#/components/schemas/ListedState"},
      {"type": "object", "required": ["context"], "properties": {"context": {"$ref": "#/components/schemas/Context"}}}
    ]
  },
  "States": {"type": "array", "items": {"$ref": "#/components/schemas/ListedState"}},
  "Template": {
    "type": "object",
    "required": ["template"],
    "properties": {
      "template": {"type": "string", "description": "Jinja2; docs/templates.md has the functions.", "example": "{{ states('light.kitchen') }}"},
      "variables": {"type": ["object", "null"], "description": "Further names with their values."}
    }
  },
  "TemplateError": {
    "type": "object",
    "description": "kind and line are of a template that is wrong or fails; a request without one has only the message.",
    "required": ["message"],
    "properties": {
      "message": {"type": "string"},
      "kind": {"type": "string", "enum": ["syntax", "name", "undefined", "type", "value", "zero_division", "security", "limit"]},
      "line": {"type": ["integer", "null"], "minimum": 1, "description": "Of the template; null if it is not known."}
    }
  },
  "Backups": {"type": "array", "items": {"$ref": "#/components/schemas/Backup"}},
  "Backup": {
    "type": "object",
    "required": ["name", "bytes", "created", "version", "encrypted"],
    "properties": {
      "name": {"type": "string", "pattern": "^[a-z0-9_-]{1,64}$"},
      "bytes": {"type": "integer"},
      "created": {"type": "string", "format": "date-time"},
      "version": {"type": ["string", "null"], "description": "Of the hub that made it; null where it is damaged."},
      "encrypted": {"type": "boolean", "description": "With a passphrase."}
    }
  },
  "File": {"type": "string", "format": "binary"},
  "History": {
    "type": "array",
    "items": {
      "type": "array",
      "minItems": 1,
      "items": {
        "type": "object",
        "description": "With minimal_response only these two, but for the first and the last.",
        "required": ["state", "last_changed"],
        "properties": {
          "entity_id": {"type": "string"},
          "state": {"type": "string", "maxLength": 255},
          "attributes": {"type": "object"},
          "last_changed": {"$ref": "#/components/schemas/Timestamp"},
          "last_updated": {"$ref": "#/components/schemas/Timestamp"}
        }
      }
    }
  },
  "Logbook": {
    "type": "array",
    "items": {
      "type": "object",
      "description": "A change has a state, an event a message.",
      "required": ["when", "name", "domain"],
      "properties": {
        "when": {"$ref": "#/components/schemas/Timestamp"},
        "name": {"type": "string"},
        "state": {"type": "string"},
        "message": {"type": "string"},
        "source": {"type": "string"},
        "domain": {"type": "string"},
        "entity_id": {"type": "string"},
        "context_id": {"type": "string"},
        "context_user_id": {"type": "string"},
        "context_event_type": {"type": "string"},
        "context_domain": {"type": "string"},
        "context_service": {"type": "string"},
        "context_entity_id": {"type": "string"},
        "context_entity_id_name": {"type": "string"},
        "context_name": {"type": "string"},
        "context_state": {"type": "string"},
        "context_source": {"type": "string"},
        "context_message": {"type": "string"}
      }
    }
  },
  "NewState": {
    "type": "object",
    "required": ["state"],
    "properties": {
      "state": {"type": ["string", "number", "boolean"], "maxLength": 255, "description": "Numbers keep their text; booleans become True and False."},
      "attributes": {"type": ["object", "null"], "description": "All attributes: a write replaces, it never merges."},
      "force_update": {"type": "boolean", "default": false, "description": "Fire an event and set new times even if nothing differs."}
    },
    "example": {"state": "21.5", "attributes": {"unit_of_measurement": "°C"}}
  },
  "Listeners": {
    "type": "array",
    "items": {
      "type": "object",
      "required": ["event", "listener_count"],
      "properties": {
        "event": {"type": "string", "description": "An event type, or * for listeners of all."},
        "listener_count": {"type": "integer", "minimum": 1}
      }
    }
  },
  "Calendars": {
    "type": "array",
    "items": {"type": "object", "required": ["entity_id", "name"],
              "properties": {"entity_id": {"type": "string"}, "name": {"type": "string"}}}
  },
  "CalendarTime": {
    "type": "object",
    "description": "A whole day, or a moment.",
    "oneOf": [
      {"required": ["date"], "properties": {"date": {"type": "string", "format": "date"}}},
      {"required": ["dateTime"], "properties": {"dateTime": {"type": "string", "format": "date-time"}}}
    ]
  },
  "CalendarEvents": {
    "type": "array",
    "items": {
      "type": "object",
      "required": ["start", "end", "summary", "description", "location", "uid", "recurrence_id", "rrule"],
      "properties": {
        "start": {"$ref": "#/components/schemas/CalendarTime"}, "end": {"$ref": "#/components/schemas/CalendarTime"},
        "summary": {"type": "string"},
        "description": {"type": ["string", "null"]}, "location": {"type": ["string", "null"]},
        "uid": {"type": ["string", "null"], "description": "Names the event to calendar.update_event and calendar.delete_event."},
        "recurrence_id": {"type": ["string", "null"]}, "rrule": {"type": ["string", "null"], "description": "As RFC 5545 writes it."}
      }
    }
  },
  "Alerts": {
    "type": "array", "items": {"type": "object",
      "required": ["alert_id", "kind", "grade", "entity_id", "device_id", "area_id", "since", "snoozed_until"],
      "properties": {
        "alert_id": {"type": "string"}, "kind": {"type": "string"}, "grade": {"enum": ["danger", "warning"]},
        "entity_id": {"type": "string"}, "device_id": {"type": ["string", "null"]}, "area_id": {"type": ["string", "null"]},
        "since": {"type": "string", "format": "date-time"}, "snoozed_until": {"type": ["string", "null"]}
      }
    }
  },
  "EventData": {
    "type": "object",
    "description": "With the key event_data its object is the data, else the whole body is.",
    "properties": {"event_data": {"type": ["object", "null"]}}, "example": {"event_data": {"door": "front"}}
  },
  "Field": {
    "type": "object",
    "required": ["description", "example"],
    "properties": {
      "description": {"type": "string"},
      "example": {},
      "required": {"type": "boolean"},
      "selector": {"type": "object"}
    }
  },
  "Service": {
    "type": "object",
    "required": ["description", "fields"],
    "properties": {
      "name": {"type": "string"},
      "description": {"type": "string"},
      "fields": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Field"}},
      "target": {"type": "object", "description": "There where the service takes entities."},
      "response": {"type": "object", "description": "There where the service can answer with data."}
    }
  },
  "Services": {
    "type": "array",
    "items": {
      "type": "object",
      "required": ["domain", "services"],
      "properties": {
        "domain": {"type": "string"},
        "services": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Service"}}
      }
    }
  },
  "ServiceData": {
    "type": "object",
    "description": "The service's fields, and its target.",
    "properties": {
      "entity_id": {"$ref": "#/components/schemas/Ids"},
      "device_id": {"$ref": "#/components/schemas/Ids"},
      "area_id": {"$ref": "#/components/schemas/Ids"},
      "floor_id": {"$ref": "#/components/schemas/Ids"},
      "label_id": {"$ref": "#/components/schemas/Ids"},
      "target": {"type": "object", "description": "The same keys, kept apart from the fields."}
    },
    "example": {"entity_id": "light.kitchen", "brightness_pct": 47}
  },
  "Ids": {"type": ["string", "array", "null"], "items": {"type": "string"}, "description": "One, a comma-separated list, or a list."},
  "CallResult": {
    "oneOf": [
      {"type": "array", "items": {"$ref": "#/components/schemas/State"}},
      {
        "type": "object",
        "required": ["changed_states", "service_response"],
        "properties": {
          "changed_states": {"type": "array", "items": {"$ref": "#/components/schemas/State"}},
          "service_response": {}
        }
      }
    ]
  },
  "Configuration": {
    "type": "object",
    "required": ["location_name", "version", "uuid", "base_url", "internal_url", "external_url", "state", "components"],
    "properties": {
      "location_name": {"type": "string"},
      "version": {"type": "string", "example": "2026.11.0"},
      "uuid": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
      "base_url": {"type": "string"},
      "internal_url": {"type": "string"},
      "external_url": {"type": "string"},
      "state": {"type": "string", "enum": ["NOT_RUNNING", "STARTING", "RUNNING", "STOPPING", "FINAL_WRITE"]},
      "components": {"$ref": "#/components/schemas/Names"},
      "config_dir": {"type": "string"},
      "latitude": {"type": "number"},
      "longitude": {"type": "number"},
      "elevation": {"type": "integer"},
      "time_zone": {"type": "string"},
      "unit_system": {"type": "object", "additionalProperties": {"type": "string"}},
      "currency": {"type": "string"},
      "country": {"type": ["string", "null"]},
      "language": {"type": "string"},
      "config_source": {"type": "string", "enum": ["yaml", "storage"], "description": "Whether configuration.yaml sets any of what can else be changed while the hub runs."},
      "yaml_keys": {"type": "array", "items": {"type": "string"}, "description": "What it sets."},
      "allowlist_external_dirs": {"$ref": "#/components/schemas/Names"},
      "whitelist_external_dirs": {"$ref": "#/components/schemas/Names"},
      "safe_mode": {"type": "boolean"},
      "recovery_mode": {"type": "boolean"}
    }
  },
  "AutomationItem": {
    "description": "An automation or a script, with the keys that it has in its file.",
    "type": "object"
  },
  "ItemChanged": {
    "type": "object",
    "required": ["result"],
    "properties": {"result": {"const": "ok"}}
  },
  "ConfigCheck": {
    "type": "object",
    "required": ["result", "errors", "warnings"],
    "properties": {
      "result": {"type": "string", "enum": ["valid", "invalid"]},
      "errors": {"type": ["string", "null"], "description": "A line for each."},
      "warnings": {"type": ["string", "null"]}
    }
  },
  "Anything": {"description": "Whatever the webhook's owner expects; it need not be JSON."},
  "Names": {"type": "array", "items": {"type": "string"}},
  "Kinds": {
    "type": "array",
    "items": {
      "type": "object",
      "description": "docs/websocket.md describes it, at hearth/kinds.",
      "required": ["domain", "description", "value", "features", "attributes", "actions"],
      "properties": {
        "domain": {"type": "string"},
        "description": {"type": "string"},
        "value": {"type": "object"},
        "features": {"type": "array", "items": {"type": "object"}},
        "attributes": {"type": "array", "items": {"type": "object"}},
        "actions": {"type": "array", "items": {"type": "object"}}
      }
    }
  },
  "Registry": {
    "type": "object",
    "description": "Each list as its command of the WebSocket API has it, config/area_registry/list and so on.",
    "required": ["areas", "floors", "devices", "entities"],
    "properties": {
      "areas": {"type": "array", "items": {"type": "object"}},
      "floors": {"type": "array", "items": {"type": "object"}},
      "devices": {"type": "array", "items": {"type": "object"}},
      "entities": {"type": "array", "items": {"type": "object"}, "description": "Those that have an entry."}
    }
  },
  "MqttDiscovery": {
    "type": "array",
    "items": {
      "type": "object",
      "required": ["topic", "verdict", "dropped", "reason", "entity_id"],
      "properties": {
        "topic": {"type": "string", "description": "Or, with manual, the place in configuration.yaml."},
        "manual": {"type": "boolean", "description": "True if configuration.yaml describes it; missing otherwise."},
        "component": {"type": "string", "description": "Its key in the message of a whole device; missing otherwise."},
        "verdict": {"type": "string", "enum": ["made", "dropped", "refused", "trigger"]},
        "dropped": {"type": "array", "items": {"type": "string"}, "description": "Keys that were left out."},
        "reason": {"type": ["string", "null"]},
        "entity_id": {"type": ["string", "null"]}
      }
    }
  },
  "CoreState": {
    "type": "object",
    "required": ["state", "recorder_state"],
    "properties": {"state": {"type": "string"}, "recorder_state": {"type": "object"}}
  },
  "Frames": {"type": "string", "description": "Server-sent events: `data` is `ping` or an event with event_type, data, origin, time_fired and context."},
  "Document": {"type": "object"},
  "Empty": {"type": "object"},
  "Page": {"type": "string"}, "Text": {"type": "string"}
})json";

}  // namespace

json::object schemas() {
  json::object all = base::parse_json(kSchemas).value().as_object();
  for (const std::string_view text : {account_schemas(), import_schemas(), integration_schemas()}) {
    const json::value more = base::parse_json(text).value();
    all.insert(more.as_object().begin(), more.as_object().end());
  }
  return all;
}

}  // namespace hearth::api
