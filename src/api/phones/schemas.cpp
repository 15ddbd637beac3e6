// SPDX-License-Identifier: Apache-2.0
#include "api/schemas.h"

namespace hearth::api {

std::string_view phone_schemas() {
  return R"json({
  "PhoneRegistration": {
    "type": "object",
    "required": ["app_id", "app_name", "app_version", "device_name", "manufacturer", "model", "os_name"],
    "properties": {
      "device_id": {"type": ["string", "null"],
        "maxLength": 63,
        "description": "What the app knows the device by; the same again takes the place of the registration before."},
      "app_id": {"type": "string", "minLength": 1,
        "maxLength": 63},
      "app_name": {"type": "string", "minLength": 1,
        "maxLength": 63},
      "app_version": {"type": "string", "minLength": 1,
        "maxLength": 63},
      "device_name": {"type": "string", "minLength": 1,
        "maxLength": 63},
      "manufacturer": {"type": "string", "minLength": 1,
        "maxLength": 63},
      "model": {"type": "string", "minLength": 1,
        "maxLength": 63},
      "os_name": {"type": "string", "minLength": 1,
        "maxLength": 63},
      "os_version": {"type": ["string", "null"],
        "maxLength": 63},
      "supports_encryption": {"type": ["boolean", "null"]},
      "app_data": {"type": ["object", "null"],
        "maxProperties": 20,
        "additionalProperties": {"type": ["string", "boolean", "null"], "maxLength": 100},
        "description": "Of this the hub uses push_token, push_url and push_websocket_channel."}
    }
  },
  "PhoneRegistered": {
    "type": "object",
    "required": ["webhook_id", "secret", "cloudhook_url", "remote_ui_url"],
    "properties": {
      "webhook_id": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
      "secret": {"type": ["string", "null"],
        "description": "The key of the app's messages; null if they are not encrypted."},
      "cloudhook_url": {"type": "null"},
      "remote_ui_url": {"type": "null"}
    }
  }
})json";
}

}  // namespace hearth::api
