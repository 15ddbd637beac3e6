// SPDX-License-Identifier: Apache-2.0
#include "core/registry/collection_type.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "core/registry/collection.h"
#include "core/registry/helper_types.h"

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
constexpr CollectionField kLabelFields[] = {
    {{"name", "What it is called.", "Upstairs lights", field::Text{}, true}},
    {{"color", "#rrggbb, or a name such as light-blue.", "light-blue", field::Text{}}},
    {{"icon", "mdi:…", "mdi:lamp", field::Text{}}},
    {{"description", "What it is for.", "All that shines upstairs", field::Text{}}},
};
constexpr CollectionField kCategoryFields[] = {
    {{"scope", "What it sorts.", "automation", field::Text{}, true}},
    {{"name", "What it is called.", "Lighting", field::Text{}, true}},
    {{"icon", "mdi:…", "mdi:lamp", field::Text{}}},
};
constexpr CollectionField kTagFields[] = {
    {{"name", "What it is called.", "Front door", field::Text{}}},
    {{"description", "Where it is.", "Beside the bell", field::Text{}}},
};
constexpr CollectionType kCollectionTypes[] = {
    {"zone", "zone_id", kZoneFields},
    {kLabels, "label_id", kLabelFields},
    {kCategories, "category_id", kCategoryFields},
    {"tag", "tag_id", kTagFields, /*names_itself=*/true},
};

constexpr std::size_t kMaxName = 255;  // bytes

std::string one_of(std::string_view name) {
  return (std::string_view("aeiou").find(name.front()) == std::string_view::npos ? "a " : "an ") + std::string(name);
}

}  // namespace

base::Result<json::object> CollectionType::fields_of(const json::object& given, const json::object* former) const {
  using base::ErrorCode;
  json::object made = former ? *former : json::object();
  for (const auto& [key, value] : given) {
    const auto known =
        std::ranges::find(fields, std::string_view(key), [](const CollectionField& each) { return each.field.name; });
    if (known == fields.end()) {
      return base::fail(ErrorCode::invalid,
                        fmt::format("{}: unknown field of {}", base::utf8_excerpt(key), one_of(name)));
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
                        fmt::format("{}: required field of {} is missing", each.field.name, one_of(name)));
    }
    if (json::value otherwise = each.otherwise.to_json(); !otherwise.is_null())
      made[each.field.name] = std::move(otherwise);
  }
  if (const json::value* const called = made.if_contains("name")) {
    const std::string_view text = called->get_string();
    if (text.empty() || text.size() > kMaxName)
      return base::fail(ErrorCode::invalid, fmt::format("name: expected a text of 1 to {} bytes", kMaxName));
  }
  if (check) {
    if (auto good = check(made); !good) return std::unexpected(good.error());
  }
  return made;
}

const CollectionType* find_collection_type(std::string_view name) {
  for (const auto types : {std::span<const CollectionType>(kCollectionTypes), helper_types()}) {
    const auto found = std::ranges::find(types, name, &CollectionType::name);
    if (found != types.end()) return &*found;
  }
  return nullptr;
}

}  // namespace hearth::core
