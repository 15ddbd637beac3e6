// SPDX-License-Identifier: Apache-2.0
#include "core/values/service_field.h"

#include <fmt/format.h>

namespace hearth::core {
namespace {

struct ToJson {
  json::value operator()(std::monostate) const { return nullptr; }
  json::value operator()(Example::Json list) const { return base::parse_json(list.text).value(); }
  json::value operator()(auto value) const { return json::value(value); }
};

}  // namespace

json::value Example::to_json() const {
  return std::visit(ToJson{}, value_);
}

base::Result<json::value> Field::convert(const json::value& value) const {
  if (auto converted = field::convert(type, value)) return std::move(*converted);
  return base::fail(base::ErrorCode::invalid, fmt::format("{}: {}", name, field::complaint(type, value)));
}

json::object to_json_object(const Field& field) {
  return {{"description", field.description},
          {"example", field.example.to_json()},
          {"required", field.required},
          {"selector", field::selector(field.type)}};
}

}  // namespace hearth::core
