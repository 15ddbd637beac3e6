// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/protocol/services.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"
#include "integrations/home_assistant/protocol/text_parts.h"

namespace hearth::integrations::home_assistant {
namespace {

constexpr std::size_t kMaxDescription = 256 * 1024;  // bytes

void add_text(json::object& to, std::string_view key, const json::object& texts, const std::string& prefix) {
  const json::value* const present = to.if_contains(key);
  if (present && present->is_string() && !present->get_string().empty()) return;
  const std::string text = base::text_at(texts, fmt::format("{}.{}", prefix, key), 4'096);
  if (!text.empty()) to[key] = text;
}

// Fields may be in sections, which have fields of their own.
void add_field_names(json::object& fields, const json::object& texts, const std::string& prefix) {
  for (auto& member : fields) {
    json::object* const field = member.value().if_object();
    if (!field) continue;
    const std::string of_field = fmt::format("{}.fields.{}", prefix, std::string_view(member.key()));
    const json::value* const inner = field->if_contains("fields");
    if (inner && inner->is_object()) {
      add_text(*field, "name", texts, fmt::format("{}.sections.{}", prefix, std::string_view(member.key())));
      for (auto& one : field->at("fields").get_object()) {
        if (json::object* const of_section = one.value().if_object()) {
          const std::string path = fmt::format("{}.fields.{}", prefix, std::string_view(one.key()));
          add_text(*of_section, "name", texts, path);
          add_text(*of_section, "description", texts, path);
        }
      }
      continue;
    }
    add_text(*field, "name", texts, of_field);
    add_text(*field, "description", texts, of_field);
  }
}

}  // namespace

std::vector<OtherService> read_services(std::string_view services) {
  std::vector<OtherService> read;
  TextParts domains(services);
  if (!domains.is_object()) return read;
  while (const auto domain = domains.next()) {
    TextParts parts(domain->value);
    if (!parts.is_object()) continue;
    const std::string name = key_text(domain->key);
    while (const auto part = parts.next()) {
      if (part->value.size() > kMaxDescription || first_of(part->value) != '{' || read.size() == kMaxServices) continue;
      read.push_back({.domain = name, .service = key_text(part->key), .description = object_of(part->value)});
    }
  }
  return read;
}

bool lack_names(const std::vector<OtherService>& services) {
  return std::ranges::any_of(
      services, [](const OtherService& one) { return base::text_view_at(one.description, "name").empty(); });
}

void add_names(std::vector<OtherService>& services, const json::object& answer) {
  const json::value& resources = base::value_at(answer, "resources");
  if (!resources.is_object()) return;
  const json::object& texts = resources.get_object();
  for (OtherService& one : services) {
    const std::string prefix = fmt::format("component.{}.services.{}", one.domain, one.service);
    add_text(one.description, "name", texts, prefix);
    add_text(one.description, "description", texts, prefix);
    json::value* const fields = one.description.if_contains("fields");
    if (json::object* const list = fields ? fields->if_object() : nullptr) add_field_names(*list, texts, prefix);
  }
}

}  // namespace hearth::integrations::home_assistant
