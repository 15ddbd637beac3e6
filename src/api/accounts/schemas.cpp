// SPDX-License-Identifier: Apache-2.0
#include "api/schemas.h"

namespace hearth::api {

std::string_view account_schemas() {
  return R"json({
  "Onboarding": {
    "type": "array",
    "items": {
      "type": "object",
      "required": ["step", "done"],
      "properties": {
        "step": {"type": "string", "enum": ["user"]},
        "done": {"type": "boolean"},
        "needs_code": {"type": "boolean", "description": "True if who asks has to know the code that the log shows."}
      }
    }
  },
  "FirstUser": {
    "type": "object",
    "required": ["name", "username", "password", "client_id"],
    "properties": {
      "name": {"type": "string", "description": "What others call the user."},
      "username": {"type": "string", "description": "What they log in with."},
      "password": {"type": "string", "minLength": 8},
      "client_id": {"type": "string", "description": "The address of the web page that asks."},
      "language": {"type": ["string", "null"]},
      "code": {"type": ["string", "null"], "description": "From the hub's log; where needs_code is true."}
    }
  },
  "AuthCode": {"type": "object", "required": ["auth_code"], "properties": {"auth_code": {"type": "string"}}},
  "Providers": {
    "type": "object",
    "required": ["providers", "preselect_remember_me"],
    "properties": {
      "providers": {
        "type": "array",
        "items": {
          "type": "object",
          "required": ["name", "id", "type"],
          "properties": {"name": {"type": "string"}, "id": {"type": ["string", "null"]}, "type": {"type": "string"}}
        }
      },
      "preselect_remember_me": {"type": "boolean"}
    }
  },
  "Handler": {"type": "array", "items": {"type": ["string", "null"]}, "example": ["homeassistant", null]},
  "LoginStart": {
    "type": "object",
    "required": ["client_id", "handler", "redirect_uri"],
    "properties": {
      "client_id": {"type": "string"},
      "handler": {"$ref": "#/components/schemas/Handler"},
      "redirect_uri": {"type": "string"},
      "code_challenge": {"type": ["string", "null"]},
      "code_challenge_method": {"type": ["string", "null"]}
    }
  },
  "LoginInput": {
    "type": "object",
    "required": ["client_id", "username", "password"],
    "properties": {"client_id": {"type": "string"}, "username": {"type": "string"}, "password": {"type": "string"}}
  },
  "LoginStep": {
    "type": "object",
    "required": ["type", "flow_id", "handler"],
    "properties": {
      "type": {"type": "string", "enum": ["form", "create_entry"]},
      "flow_id": {"type": "string"},
      "handler": {"$ref": "#/components/schemas/Handler"},
      "step_id": {"type": "string"},
      "data_schema": {"type": "array", "items": {"type": "object"}},
      "errors": {"type": "object", "additionalProperties": {"type": "string"}},
      "result": {"type": "string", "description": "Of create_entry: the code."}
    }
  },
  "AuthorizeForm": {
    "type": "object",
    "required": ["client_id", "redirect_uri", "form_token", "username", "password"],
    "properties": {
      "client_id": {"type": "string"},
      "redirect_uri": {"type": "string"},
      "state": {"type": "string"},
      "code_challenge": {"type": "string"},
      "code_challenge_method": {"type": "string"},
      "form_token": {"type": "string", "description": "As the page has it, and its cookie."},
      "username": {"type": "string"},
      "password": {"type": "string"}
    }
  },
  "TokenForm": {
    "type": "object",
    "properties": {
      "grant_type": {"type": "string", "enum": ["authorization_code", "refresh_token"]},
      "client_id": {"type": "string"},
      "code": {"type": "string"},
      "code_verifier": {"type": "string"},
      "redirect_uri": {"type": "string"},
      "refresh_token": {"type": "string"},
      "action": {"type": "string", "enum": ["revoke"]},
      "token": {"type": "string"}
    }
  },
  "RevokeForm": {"type": "object", "properties": {"token": {"type": "string", "description": "A refresh token."}}},
  "Tokens": {
    "type": "object",
    "properties": {
      "access_token": {"type": "string"},
      "token_type": {"type": "string", "enum": ["Bearer"]},
      "expires_in": {"type": "integer", "description": "Seconds."},
      "refresh_token": {"type": "string", "description": "Of a code only."},
      "ha_auth_provider": {"type": "string"}
    }
  },
  "TokenError": {
    "type": "object",
    "required": ["error", "error_description", "message"],
    "properties": {
      "error": {"type": "string"},
      "error_description": {"type": "string"},
      "message": {"type": "string"}
    }
  }
})json";
}

}  // namespace hearth::api
