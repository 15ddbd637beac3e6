// SPDX-License-Identifier: Apache-2.0
#include "api/schemas.h"

namespace hearth::api {

std::string_view account_schemas() {
  return R"json({
  "ClientId": {
    "type": "string",
    "description": "The address of the client's web page: http:// or https://, a host, perhaps a port, path and query.",
    "pattern": "^https?://[a-z0-9]+([.-][a-z0-9]+)*(:[1-9][0-9]{0,3})?(/[A-Za-z0-9_~-]*)*([?][A-Za-z0-9=&._~-]*)?$",
    "maxLength": 2048,
    "example": "http://localhost:8123/"
  },
  "RedirectUri": {
    "type": "string",
    "description": "An address with the same scheme, host and port as client_id; or one of a companion )json"
         R"json(app with the app's own client_id.",
    "pattern": "^(https?://[a-z0-9]+([.-][a-z0-9]+)*(:[1-9][0-9]{0,3})?(/)json"
         R"json([A-Za-z0-9._~-]*)*([?][A-Za-z0-9=&._~-]*)?|homeassistant://auth-callback)$",
    "maxLength": 2048,
    "example": "http://localhost:8123/?auth_callback=1"
  },
  "CodeChallenge": {"type": "string", "pattern": "^[A-Za-z0-9_-]{43}$"},
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
      "client_id": {"$ref": "#/components/schemas/ClientId"},
      "language": {"type": ["string", "null"]},
      "code": {"type": ["string", "null"], "description": "From the hub's log; where needs_code is true."}
    }
  },
  "InvitationText": {
    "type": "object",
    "required": ["invitation"],
    "properties": {"invitation": {"type": "string", "description": "What follows the # of the link.", "maxLength": 512}}
  },
  "Invitation": {
    "type": "object",
    "required": ["name", "home", "invited_by", "role", "ends_at", "expires_at"],
    "properties": {
      "name": {"type": "string", "description": "Of whom it is for, as the inviter calls them."},
      "home": {"type": "string", "description": "Its name."},
      "invited_by": {"type": ["string", "null"], "description": "Null: the command line."},
      "role": {"type": "string", "enum": ["administrator", "user", "reader"]},
      "ends_at": {"type": ["string", "null"], "format": "date-time", "description": "When the account will end."},
      "expires_at": {"type": "string", "format": "date-time", "description": "Until when the invitation is good."}
    }
  },
  "InvitationAcceptance": {
    "type": "object",
    "required": ["invitation", "name", "username", "password", "client_id"],
    "properties": {
      "invitation": {"type": "string", "maxLength": 512},
      "name": {"type": "string", "description": "What others call the user."},
      "username": {"type": "string", "description": "What they log in with."},
      "password": {"type": "string", "minLength": 8},
      "client_id": {"$ref": "#/components/schemas/ClientId"}
    }
  },
  "InvitationAccepted": {
    "type": "object",
    "required": ["auth_code"],
    "properties": {
      "auth_code": {
        "type": ["string", "null"],
        "description": "Null: the home demands a second factor, which is set up at the login."
      }
    }
  },
  "FirstRestoreOrder": {
    "type": "object",
    "properties": {
      "passphrase": {"type": ["string", "null"], "description": "If the backup is encrypted."},
      "code": {"type": ["string", "null"], "description": "From the hub's log; if needs_code is true."},
      "file": {"type": ["string", "null"], "maxLength": 255, "pattern": "^[^\\x00-\\x1f\\x7f]*$", )json"
         R"json("description": "What the home says later that it was restored from."}
    }
  },
  "FirstRestore": {
    "type": "object",
    "required": ["home", "created", "version", "restarting"],
    "properties": {
      "home": {"type": "string", "description": "Its name."},
      "created": {"type": "string", "format": "date-time"},
      "version": {"type": "string", "description": "Of the hub that made it."},
      "restarting": {"type": "boolean"}
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
      "preselect_remember_me": {"type": "boolean"},
      "passkeys": {"type": "boolean", "description": "Whether anybody can log in with one."}
    }
  },
  "Handler": {"type": "array", "items": {"type": ["string", "null"]}, "example": ["homeassistant", null]},
  "LoginStart": {
    "type": "object",
    "required": ["client_id", "handler", "redirect_uri"],
    "properties": {
      "client_id": {"$ref": "#/components/schemas/ClientId"},
      "handler": {"$ref": "#/components/schemas/Handler"},
      "redirect_uri": {"$ref": "#/components/schemas/RedirectUri"},
      "code_challenge": {"anyOf": [{"$ref": "#/components/schemas/CodeChallenge"}, {"type": "null"}]},
      "code_challenge_method": {"enum": ["S256", null]}
    }
  },
  "LoginInput": {
    "type": "object",
    "required": ["client_id"],
    "properties": {
      "client_id": {"type": "string"},
      "username": {"type": "string", "description": "With the password, in the step init."},
      "password": {"type": "string"},
      "code": {"type": "string", "description": "In the steps mfa and mfa_setup."},
      "id": {"type": "string", "description": "Of the passkey, in base64url, in the step passkey; with it:"},
      "client_data": {"type": "string", "description": "In base64url."},
      "authenticator_data": {"type": "string", "description": "In base64url."},
      "signature": {"type": "string", "description": "In base64url."}
    }
  },
  "LoginStep": {
    "type": "object",
    "required": ["type", "flow_id", "handler"],
    "properties": {
      "type": {"type": "string", "enum": ["form", "create_entry", "abort"]},
      "flow_id": {"type": "string"},
      "handler": {"$ref": "#/components/schemas/Handler"},
      "step_id": {"type": "string", "enum": ["init", "mfa", "mfa_setup", "passkey"]},
      "data_schema": {"type": "array", "items": {"type": "object"}},
      "errors": {"type": "object", "additionalProperties": {"type": "string"}},
      "description_placeholders": {"type": ["object", "null"], "additionalProperties": {"type": "string"}},
      "options": {"type": "object", "description": "Of the step passkey: for navigator.credentials.get."},
      "reason": {"type": "string", "description": "Of abort."},
      "result": {"type": "string", "description": "Of create_entry: the code."}
    }
  },
  "AuthorizeForm": {
    "type": "object",
    "required": ["client_id", "redirect_uri", "form_token"],
    "properties": {
      "client_id": {"$ref": "#/components/schemas/ClientId"},
      "redirect_uri": {"$ref": "#/components/schemas/RedirectUri"},
      "state": {"type": "string"},
      "code_challenge": {"$ref": "#/components/schemas/CodeChallenge"},
      "code_challenge_method": {"type": "string", "enum": ["S256"]},
      "form_token": {"type": "string", "description": "As the page has it, and its cookie."},
      "username": {"type": "string"},
      "password": {"type": "string"},
      "login": {"type": "string", "description": "As the page has it, after the password."},
      "code": {"type": "string", "description": "With it."}
    }
  },
  "TokenForm": {
    "type": "object",
    "description": "A code, or a refresh token, for an access token; or the end of a session.",
    "anyOf": [
      {
        "required": ["grant_type", "client_id", "code"],
        "properties": {
          "grant_type": {"type": "string", "enum": ["authorization_code"]},
          "client_id": {"$ref": "#/components/schemas/ClientId"},
          "code": {"type": "string"},
          "code_verifier": {"type": "string"},
          "redirect_uri": {"type": "string"}
        }
      },
      {
        "required": ["grant_type", "client_id", "refresh_token"],
        "properties": {
          "grant_type": {"type": "string", "enum": ["refresh_token"]},
          "client_id": {"$ref": "#/components/schemas/ClientId"},
          "refresh_token": {"type": "string"},
          "rotate": {"type": "string", "enum": ["0", "1"], "description": "1 for a new refresh token, too."}
        }
      },
      {
        "required": ["action"],
        "properties": {"action": {"type": "string", "enum": ["revoke"]}, "token": {"type": "string"}}
      }
    ]
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
