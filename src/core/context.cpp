// SPDX-License-Identifier: Apache-2.0
#include "core/context.h"

#include "base/json.h"

namespace hearth::core {
namespace {

using std::string_view_literals::operator""sv;  // whose length need not be counted each time

void write_optional(std::string& out, const std::optional<std::string>& text) {
  if (text)
    base::write_json_string(out, *text);
  else
    out += "null"sv;
}

}  // namespace

void write_json(std::string& out, const Context& context) {
  out += R"({"id":)"sv;
  base::write_json_string(out, context.id);
  out += R"(,"parent_id":)"sv;
  write_optional(out, context.parent_id);
  out += R"(,"user_id":)"sv;
  write_optional(out, context.user_id);
  out += '}';
}

}  // namespace hearth::core
