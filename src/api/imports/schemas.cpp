// SPDX-License-Identifier: Apache-2.0
#include "api/schemas.h"

namespace hearth::api {

std::string_view import_schemas() {
  return R"json({
  "ImportUpload": {
    "type": "object",
    "required": ["source", "name", "bytes", "created", "version", "protected"],
    "properties": {
      "source": {"type": "string", "description": "`upload:` and the name."},
      "name": {"type": "string", "pattern": "^[a-z0-9_-]{1,64}$"},
      "bytes": {"type": "integer"},
      "created": {"type": "string", "format": "date-time", "description": "When the backup was made; of one that does not say it, when it came."},
      "version": {"type": ["string", "null"], "description": "Of Home Assistant; null if the file does not say it."},
      "protected": {"type": "boolean", "description": "True if it needs a passphrase."}
    }
  },
  "ImportSource": {
    "type": "object",
    "required": ["source", "kind", "name", "bytes", "created", "version", "protected"],
    "properties": {
      "source": {"type": "string", "description": "`upload:NAME` or `folder:/path`."},
      "kind": {"type": "string", "enum": ["upload", "folder"]},
      "name": {"type": "string"},
      "bytes": {"type": ["integer", "null"]},
      "created": {"type": ["string", "null"], "format": "date-time"},
      "version": {"type": ["string", "null"]},
      "protected": {"type": "boolean"}
    }
  },
  "ImportState": {
    "type": "object",
    "required": ["state"],
    "properties": {
      "state": {"type": "string", "enum": ["idle", "looking", "working", "ready", "restarting", "failed"]},
      "source": {"type": "string"},
      "step": {"type": "string"},
      "done": {"type": "integer"},
      "of": {"type": "integer", "description": "0: not known."},
      "rows": {"type": "integer", "description": "Of the past, that were read or written."},
      "seconds_left": {"type": ["integer", "null"]},
      "error": {"type": "string"}
    }
  },
  "Imports": {
    "type": "object",
    "required": ["sources", "state"],
    "properties": {
      "sources": {"type": "array", "items": {"$ref": "#/components/schemas/ImportSource"}},
      "state": {"$ref": "#/components/schemas/ImportState"}
    }
  },
  "ImportReport": {"type": "object", "description": "As `hearth import-ha --json` prints it."},
  "ImportCode": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "code": {"type": ["string", "null"], "description": "From the hub's log; if needs_code is true."}
    }
  },
  "ImportLook": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "code": {"type": ["string", "null"], "description": "From the hub's log; if needs_code is true."},
      "passphrase": {"type": ["string", "null"], "maxLength": 1024, "pattern": "^[^\\r\\n]*$", "description": "If the backup is protected."}
    }
  },
  "ImportOrder": {
    "type": "object",
    "additionalProperties": false,
    "properties": {
      "code": {"type": ["string", "null"], "description": "From the hub's log; if needs_code is true."},
      "passphrase": {"type": ["string", "null"], "maxLength": 1024, "pattern": "^[^\\r\\n]*$", "description": "If the backup is protected."},
      "history": {"type": ["string", "null"], "pattern": "^(all|none|[1-9][0-9]{0,3}d)$", "description": "How much of the past; default `all`."},
      "credentials": {"type": ["boolean", "null"], "description": "Passwords, tokens and sessions, too; default true."},
      "automations": {"type": ["string", "null"], "enum": ["as-they-were", "off", null]},
      "side_by_side": {"type": ["boolean", "null"], "description": "The old hub goes on running; default false."}
    }
  },
  "Nothing": {"type": "object", "maxProperties": 0}
})json";
}

}  // namespace hearth::api
