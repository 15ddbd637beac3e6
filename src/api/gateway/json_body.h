// SPDX-License-Identifier: Apache-2.0
// Reads the JSON object in a request's body. Any thread. Failures are invalid; the message names the field.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace hearth::api {

base::Result<json::object> parse_json_body(std::string_view body);
base::Result<std::string> text_field(const json::object& object, std::string_view name);
// Null is as good as missing.
base::Result<std::optional<std::string>> optional_text_field(const json::object& object, std::string_view name);

}  // namespace hearth::api
