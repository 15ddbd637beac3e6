// SPDX-License-Identifier: Apache-2.0
// The JSON Schemas that the OpenAPI document names.
#pragma once

#include <string_view>

#include "base/json/json.h"

namespace hearth::api {

// `components.schemas` of the document.
json::object schemas();
// Schemas of logging in, as JSON; a part of them.
std::string_view account_schemas();
// Likewise, of integrations and their connections.
std::string_view integration_schemas();
// Likewise of moving in from another hub.
std::string_view import_schemas();
// Likewise of companion apps.
std::string_view phone_schemas();

}  // namespace hearth::api
