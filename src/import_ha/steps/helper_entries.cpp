// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/helper_entries.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "core/registry/collection_type.h"
#include "core/registry/helper_types.h"
#include "derived/platforms.h"
#include "derived/sensors/made_item.h"

namespace hearth::import_ha {
namespace {

using base::Result;

constexpr double kLargestWhole = 9e15;
// Fields whose values name entities.
constexpr std::string_view kEntityFields[] = {"entity_id", "entity_ids", "entities",
                                              "source",    "heater",     "target_sensor"};

bool is_registry_id(std::string_view text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

void resolve(json::value& value, const std::map<std::string, std::string, std::less<>>& entity_ids) {
  if (value.is_array())
    for (json::value& each : value.get_array()) resolve(each, entity_ids);
  if (!value.is_string() || !is_registry_id(value.get_string())) return;
  if (const auto found = entity_ids.find(std::string_view(value.get_string())); found != entity_ids.end())
    value = found->second;
}

// A whole number that was written as a float.
void make_whole(json::value& value) {
  const double* const number = value.if_double();
  if (number && std::floor(*number) == *number && std::abs(*number) < kLargestWhole)
    value = static_cast<std::int64_t>(*number);
}

void rename(json::object& fields, std::string_view from, std::string_view to) {
  const json::value* const value = fields.if_contains(from);
  if (!value) return;
  json::value moved = *value;
  fields.erase(from);
  fields[to] = std::move(moved);
}

void drop_if(json::object& fields, std::string_view key, const json::value& value) {
  const json::value* const found = fields.if_contains(key);
  if (found && *found == value) fields.erase(key);
}

// The fields, without those that the old hub's pages store beside what the sensor is made of.
json::object usual_fields(const ConfigEntry& entry, const std::map<std::string, std::string, std::less<>>& entity_ids) {
  json::object fields;
  for (const auto& [key, given] : entry.values) {
    if (given.is_null() || given == json::value("")) continue;
    if (given.is_array() && given.get_array().empty() && key != std::string_view("entities")) continue;
    json::value value = given;
    if (std::ranges::find(kEntityFields, std::string_view(key)) != std::end(kEntityFields)) resolve(value, entity_ids);
    make_whole(value);
    fields[key] = std::move(value);
  }
  for (const char* const key : {"hide_members", "always_available", "device_id", "language"}) fields.erase(key);
  if (!fields.contains("name")) fields["name"] = entry.title.empty() ? entry.domain : entry.title;
  rename(fields, "type", "sensor_type");
  return fields;
}

// One filter, as the pages store it, or the list of a file.
void collect_filter(json::object& fields) {
  if (fields.contains("filters") || !fields.contains("filter")) return;
  json::object filter;
  for (const char* const key :
       {"filter", "window_size", "radius", "time_constant", "lower_bound", "upper_bound", "sensor_type", "precision"}) {
    if (const json::value* const value = fields.if_contains(key)) filter[key] = *value;
    fields.erase(key);
  }
  rename(filter, "sensor_type", "type");
  fields["filters"] = json::array{std::move(filter)};
}

void collect_observations(const ConfigEntry& entry, json::object& fields,
                          const std::map<std::string, std::string, std::less<>>& entity_ids) {
  if (fields.contains("observations")) return;
  json::array observations;
  for (const ConfigEntry::Part& part : entry.parts) {
    json::object observation;
    for (const auto& [key, given] : part.values) {
      if (given.is_null() || key == std::string_view("name")) continue;
      json::value value = given;
      if (key == std::string_view("entity_id")) resolve(value, entity_ids);
      observation[key] = std::move(value);
    }
    observations.push_back(std::move(observation));
  }
  fields["observations"] = std::move(observations);
}

void fit(const ConfigEntry& entry, json::object& fields,
         const std::map<std::string, std::string, std::less<>>& entity_ids) {
  if (entry.domain == "tod") {
    rename(fields, "after_time", "after");
    rename(fields, "before_time", "before");
  } else if (entry.domain == "utility_meter") {
    drop_if(fields, "cycle", "none");
    const json::value* const days = fields.if_contains("offset");
    if (days && *days == json::value(0)) {
      fields.erase("offset");
    } else if (days && days->is_number()) {
      json::value offset = *days;
      fields["offset"] = json::object{{"days", std::move(offset)}};
    }
  } else if (entry.domain == "random") {
    rename(fields, "entity_type", "domain");
  } else if (entry.domain == "filter") {
    collect_filter(fields);
  } else if (entry.domain == "bayesian") {
    collect_observations(entry, fields, entity_ids);
  } else if (entry.domain == "group") {
    const json::value* const type = fields.if_contains("group_type");
    const std::string_view of = type && type->is_string() ? std::string_view(type->get_string()) : std::string_view();
    if (!core::kGroupsWithAll.contains(of)) fields.erase("all");
    if (of != "sensor") fields.erase("sensor_type");
  }
  drop_if(fields, "unit_prefix", "none");
  drop_if(fields, "invert", false);
  drop_if(fields, "keep_last_sample", false);
  drop_if(fields, "ignore_non_numeric", false);
}

// The names of the fields that this hub knows.
std::set<std::string, std::less<>> known_fields(std::string_view domain) {
  std::set<std::string, std::less<>> names;
  if (const core::CollectionType* const type = core::find_collection_type(domain)) {
    for (const core::CollectionField& each : type->fields) names.insert(std::string(each.field.name));
    return names;
  }
  static const json::object kPlatforms = derived::describe_platforms();
  const json::value* const platform = kPlatforms.if_contains(domain);
  if (!platform) return names;
  for (const json::value& field : platform->at("fields").get_array())
    names.insert(std::string(field.at("key").get_string()));
  return names;
}

// Of entries of `template`, what is called otherwise in files.
constexpr std::pair<std::string_view, std::string_view> kTemplateNames[] = {
    {"value_template", "state"}, {"percentage_template", "percentage"}, {"position_template", "position"}};

}  // namespace

bool is_helper(std::string_view domain) {
  return domain == "group" || derived::find_platform(domain);
}

Result<HelperItem> helper_item(const ConfigEntry& entry,
                               const std::map<std::string, std::string, std::less<>>& entity_ids) {
  HelperItem item{.collection = entry.domain, .id = entry.id, .fields = usual_fields(entry, entity_ids)};
  // The unique id of its entity there.
  if (entry.domain == "bayesian") item.id = "bayesian-" + entry.id;
  fit(entry, item.fields, entity_ids);
  const auto known = known_fields(entry.domain);
  std::vector<std::string> unknown;
  for (const auto& [key, value] : item.fields)
    if (!known.contains(std::string_view(key))) unknown.push_back(std::string(key));
  for (const std::string& key : unknown) item.fields.erase(key);
  if (!unknown.empty()) item.note = fmt::format("left out: {}", fmt::join(unknown, ", "));
  const core::CollectionType* const type = core::find_collection_type(entry.domain);
  const derived::Platform* const platform = derived::find_platform(entry.domain);
  auto fields = type       ? type->fields_of(item.fields)
                : platform ? derived::fields_of(*platform, item.fields, nullptr)
                           : Result<json::object>(base::fail(base::ErrorCode::invalid, "no such helper"));
  if (!fields) return std::unexpected(std::move(fields.error()));
  item.fields = std::move(*fields);
  return item;
}

std::set<std::string, std::less<>> domains_of(const core::Item& item) {
  if (const derived::Platform* const platform = derived::find_platform(item.collection)) {
    const auto plan = derived::plan_of(*platform, item);
    std::set<std::string, std::less<>> domains{plan->domain};
    domains.insert(plan->also.begin(), plan->also.end());
    return domains;
  }
  if (item.collection == "tag") return {};  // a tag is what triggers; it has no state here
  const json::value* const group = item.fields.if_contains("group_type");
  if (group && group->is_string()) return {std::string(group->get_string())};
  const core::CollectionType* const type = core::find_collection_type(item.collection);
  return {type && !type->domain.empty() ? std::string(type->domain) : item.collection};
}

Result<TemplateEntry> template_entry(const ConfigEntry& entry, std::string_view entity_id) {
  TemplateEntry made{.domain = {}, .fields = {{"unique_id", entry.id}}};
  const json::value* const type = entry.values.if_contains("template_type");
  if (!type || !type->is_string()) return base::fail(base::ErrorCode::invalid, "template_type is missing");
  made.domain = std::string(type->get_string());
  if (!entity_id.empty()) made.fields["default_entity_id"] = entity_id;
  made.fields["name"] = entry.title.empty() ? made.domain : entry.title;
  for (const auto& [key, given] : entry.values) {
    if (key == std::string_view("template_type") || given.is_null() || given == json::value("")) continue;
    if (key == std::string_view("device_id")) {
      made.note = "left out: device_id";
      continue;
    }
    if (key == std::string_view("advanced_options") && given.is_object()) {
      for (const auto& [further, value] : given.get_object())
        if (!value.is_null()) made.fields[further] = value;
      continue;
    }
    std::string_view name = key;
    for (const auto& [there, here] : kTemplateNames)
      if (name == there) name = here;
    json::value value = given;
    make_whole(value);
    made.fields[name] = std::move(value);
  }
  return made;
}

}  // namespace hearth::import_ha
