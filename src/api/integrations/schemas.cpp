// SPDX-License-Identifier: Apache-2.0
#include "api/schemas.h"

namespace hearth::api {

std::string_view integration_schemas() {
  return R"json({
  "Integrations": {
    "type": "array",
    "items": {
      "type": "object",
      "required": ["name", "state", "since", "error", "retry_at", "attempts", "failures", "last_failure"],
      "properties": {
        "name": {"type": "string"},
        "state": {"type": "string", "enum": ["starting", "running", "failed", "stopped"]},
        "since": {"$ref": "#/components/schemas/Timestamp"},
        "error": {"type": ["string", "null"], "description": "Why it has failed."},
        "retry_at": {"type": ["string", "null"], "format": "date-time", "description": "When it is started anew."},
        "attempts": {"type": "integer", "description": "Starts in a row that failed."},
        "failures": {"type": "integer", "description": "Of its commands, timers and listeners, since the hub started."},
        "last_failure": {"type": ["string", "null"]}
      }
    }
  },
  "Bridges": {
    "type": "object",
    "required": ["instances"],
    "properties": {
      "instances": {
        "type": "array",
        "items": {
          "type": "object",
          "required": ["entry_id", "name", "title", "state"],
          "properties": {
            "entry_id": {"type": "string"},
            "name": {"type": "string"},
            "title": {"type": "string"},
            "state": {"type": "string", "description": "connected, starting, lost, refused and so on."},
            "url": {"type": "string"},
            "version": {"type": ["string", "null"]},
            "user": {"type": ["string", "null"], "description": "The owner of the token."},
            "entities": {"type": "object", "additionalProperties": {"type": "integer"}},
            "services": {"type": "integer"},
            "changes_per_second": {"type": "number"},
            "latency_ms": {"type": ["integer", "null"]},
            "last_error": {"type": ["string", "null"]},
            "next_try": {"type": ["string", "null"], "format": "date-time"}
          }
        }
      }
    }
  },
  "BridgeEntities": {
    "type": "object",
    "required": ["entities"],
    "properties": {
      "entities": {
        "type": "array",
        "items": {
          "type": "object",
          "required": ["instance", "entity_id", "entity_id_there", "why", "detail"],
          "properties": {
            "instance": {"type": "string"},
            "entity_id": {"type": ["string", "null"], "description": "Its id here."},
            "entity_id_there": {"type": "string"},
            "why": {"type": "string", "description": "mirrored, shadowed, excluded and so on."},
            "detail": {"type": ["string", "null"]}
          }
        }
      }
    }
  },
  "BridgeIds": {
    "type": "object",
    "properties": {
      "ids": {
        "type": ["array", "null"],
        "items": {"type": "string"},
        "description": "Entity ids and device ids here; null: all that differ."
      }
    }
  },
  "BridgeSwitch": {
    "type": "object",
    "required": ["id", "on"],
    "properties": {
      "id": {"type": "string", "description": "The id of the automation."},
      "on": {"type": "string", "enum": ["here", "there"]}
    }
  },
  "ConfigEntry": {
    "type": "object",
    "required": ["entry_id", "domain", "title", "source", "state", "disabled_by", "reason"],
    "properties": {
      "entry_id": {"type": "string"},
      "domain": {"type": "string", "description": "The integration."},
      "title": {"type": "string"},
      "source": {"type": "string", "enum": ["yaml", "user", "zeroconf", "ignore"]},
      "state": {"type": "string", "enum": ["loaded", "setup_in_progress", "setup_retry", "setup_error", "not_loaded"]},
      "disabled_by": {"type": ["string", "null"], "enum": ["user", null]},
      "reason": {"type": ["string", "null"], "description": "Why it waits, or has failed."}
    }
  },
  "ConfigEntries": {"type": "array", "items": {"$ref": "#/components/schemas/ConfigEntry"}},
  "FlowBegin": {
    "type": "object",
    "required": ["handler"],
    "properties": {
      "handler": {"type": "string", "description": "The integration.", "maxLength": 64},
      "entry_id": {"type": ["string", "null"],
        "description": "The connection to change; null: a new one.", "maxLength": 64}
    }
  },
  "FlowStep": {
    "type": "object",
    "required": ["type", "flow_id", "handler"],
    "properties": {
      "type": {"type": "string", "enum": ["form", "create_entry", "abort"]},
      "flow_id": {"type": "string"},
      "handler": {"type": "string"},
      "step_id": {"type": "string"},
      "data_schema": {
        "type": "array",
        "items": {
          "type": "object",
          "required": ["name", "type", "required"],
          "properties": {
            "name": {"type": "string"},
            "type": {"type": "string", "enum": ["string", "integer", "boolean", "select"]},
            "required": {"type": "boolean"},
            "options": {"type": "array", "items": {"type": "string"}},
            "secret": {"type": "boolean", "description": "True if pages hide what is typed."}
          }
        }
      },
      "errors": {"type": "object", "additionalProperties": {"type": "string"}},
      "description_placeholders": {"type": "object", "additionalProperties": {"type": "string"}},
      "last_step": {"type": ["boolean", "null"]},
      "title": {"type": "string"},
      "result": {"$ref": "#/components/schemas/ConfigEntry"},
      "reason": {"type": "string", "description": "Why there is no connection."}
    }
  },
  "RequireRestart": {
    "type": "object",
    "required": ["require_restart"],
    "properties": {"require_restart": {"type": "boolean"}}
  }
})json";
}

}  // namespace hearth::api
