// SPDX-License-Identifier: Apache-2.0
#include "core/services/service_description.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "core/services/service_target.h"

namespace hearth::core {

const Field* ServiceDescription::find(std::string_view field_name) const {
  const auto it = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == field_name; });
  return it == fields.end() ? nullptr : &*it;
}

json::object to_json_object(const ServiceDescription& description) {
  json::object object{{"name", description.name}, {"description", description.description}};
  json::object fields;
  if (description.has_target && description.written_target.empty()) {
    const std::string domain = description.target_domains.empty() ? "light" : description.target_domains.front();
    fields["entity_id"] = {{"description", "Which entities: one, several separated by commas or as a list, or all."},
                           {"example", domain + ".kitchen"},
                           {"required", false},
                           {"selector", field::selector(field::Entity{.several = true})}};
  }
  for (const Field& field : description.fields) {
    json::object shown = to_json_object(field);
    if (const json::value* const written = description.written_fields.if_contains(field.name)) {
      shown.erase("selector");
      for (const auto& [key, value] : written->as_object()) shown[key] = value;
    }
    fields[field.name] = std::move(shown);
  }
  for (const auto& [name, written] : description.written_fields)
    if (!fields.contains(name)) fields[name] = written;
  object["fields"] = std::move(fields);
  if (!description.written_target.empty()) {
    object["target"] = description.written_target;
  } else if (description.has_target) {
    json::object entity;
    if (!description.target_domains.empty()) {
      entity["domain"] = json::array(description.target_domains.begin(), description.target_domains.end());
    }
    object["target"] = {{"entity", json::array{entity}}};
  }
  // A hub that mirrors this one must not mirror what this one mirrors.
  if (!description.provider.empty()) object["hearth_origin"] = {{"instance", description.provider}, {"hops", 1}};
  if (description.response != ResponseSupport::none) {
    object["response"] = {{"optional", description.response == ResponseSupport::optional}};
  }
  return object;
}

base::Result<json::object> validate(const ServiceDescription& description, const json::object& data) {
  json::object valid;
  for (const auto& [key, value] : data) {
    if (description.has_target && ServiceTarget::is_key(key)) continue;
    const Field* field = description.find(key);
    if (!field && description.hands_on) {
      valid[key] = value;
      continue;
    }
    if (!field) {
      return base::fail(base::ErrorCode::invalid, fmt::format("{}: unknown field of {}.{}", base::utf8_excerpt(key),
                                                              description.domain, description.service));
    }
    auto converted = field->convert(value);
    if (!converted) return std::unexpected(converted.error());
    valid[key] = std::move(*converted);
  }
  for (const Field& field : description.fields) {
    if (field.required && !valid.contains(field.name)) {
      return base::fail(base::ErrorCode::invalid, fmt::format("{}: required field of {}.{} is missing", field.name,
                                                              description.domain, description.service));
    }
  }
  return valid;
}

}  // namespace hearth::core
