// SPDX-License-Identifier: Apache-2.0
#include "core/collection_type.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "core/collection.h"

namespace hearth::core {
namespace {

constexpr CollectionField kZoneFields[] = {
    {{"name", "What it is called.", "Work", field::Text{}, true}},
    {{"latitude", "Of its centre.", 52.52, field::Number{-90, 90, "°"}, true}},
    {{"longitude", "Of its centre.", 13.405, field::Number{-180, 180, "°"}, true}},
    {{"radius", "How far it reaches.", 100, field::Number{1, 1'000'000, "m"}}, 100},
    {{"icon", "mdi:…", "mdi:briefcase", field::Text{}}},
    {{"passive", "Whether nobody is said to be there.", false, field::Boolean{}}, false},
};
constexpr CollectionType kTypes[] = {{"zone", "zone_id", kZoneFields}};

constexpr std::size_t kMaxName = 255;  // bytes

}  // namespace

base::Result<json::object> CollectionType::fields_of(const json::object& given, const json::object* former) const {
  using base::ErrorCode;
  json::object made = former ? *former : json::object();
  for (const auto& [key, value] : given) {
    const auto known =
        std::ranges::find(fields, std::string_view(key), [](const CollectionField& each) { return each.field.name; });
    if (known == fields.end()) {
      return base::fail(ErrorCode::invalid, fmt::format("{}: unknown field of a {}", base::utf8_excerpt(key), name));
    }
    if (value.is_null() && !known->field.required) {
      made.erase(key);
      continue;
    }
    auto converted = known->field.convert(value);
    if (!converted) return std::unexpected(converted.error());
    made[key] = std::move(*converted);
  }
  for (const CollectionField& each : fields) {
    if (made.contains(each.field.name)) continue;
    if (each.field.required) {
      return base::fail(ErrorCode::invalid,
                        fmt::format("{}: required field of a {} is missing", each.field.name, name));
    }
    if (json::value otherwise = each.otherwise.to_json(); !otherwise.is_null())
      made[each.field.name] = std::move(otherwise);
  }
  if (const json::value* const called = made.if_contains("name")) {
    const std::string_view text = called->get_string();
    if (text.empty() || text.size() > kMaxName)
      return base::fail(ErrorCode::invalid, fmt::format("name: expected a text of 1 to {} bytes", kMaxName));
  }
  return made;
}

const CollectionType* find_collection_type(std::string_view name) {
  const auto found = std::ranges::find(kTypes, name, &CollectionType::name);
  return found == std::end(kTypes) ? nullptr : &*found;
}

}  // namespace hearth::core
