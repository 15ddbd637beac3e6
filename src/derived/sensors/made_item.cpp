// SPDX-License-Identifier: Apache-2.0
#include "derived/sensors/made_item.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/config/item_node.h"
#include "automation/config/json_node.h"
#include "base/text/utf8.h"
#include "core/values/entity_id.h"

namespace hearth::derived {
namespace {

constexpr std::string_view kType = "type", kSensorType = "sensor_type", kDomain = "domain", kName = "name";
constexpr std::size_t kMaxName = 255;  // bytes

std::string_view field_of(std::string_view key) {
  return key == kType ? kSensorType : key;
}
std::string_view key_of(std::string_view field) {
  return field == kSensorType ? kType : field;
}

bool has_domains(const Platform& platform) {
  return ++platform.domains.begin() != platform.domains.end();
}

// As if it had been read from a file; errors name the fields.
base::ConfigNode node_of(const json::object& fields) {
  base::ConfigNode::Map map;
  for (const auto& [field, value] : fields)
    if (std::string_view(field) != kDomain)
      map.push_back({std::string(key_of(field)), automation::node_of_json(value, std::string(field))});
  return {base::ConfigNode::Place{}, std::move(map)};
}

std::vector<Key> keys_of(const Platform& platform, std::string_view domain) {
  static const base::ConfigNode kNothing{base::ConfigNode::Place{}, base::ConfigNode::Map{}};
  std::vector<Key> keys;
  Keys in(kNothing, &keys);
  Plan plan;
  plan.domain = domain;
  platform.parse(in, plan);
  for (Key& each : keys) each.name = field_of(each.name);
  return keys;
}

// Required keys come first.
void add_all(const std::vector<Key>& keys, json::array& fields) {
  for (const bool required : {true, false})
    for (const Key& each : keys)
      if (each.required == required) fields.push_back(to_json_object(each));
}

// All that it can have in any of its domains.
json::array describe_fields(const Platform& platform) {
  json::array fields;
  fields.push_back(to_json_object(
      Key{.name = std::string(kName), .selector = core::field::selector(core::field::Text{}), .required = true}));
  if (!has_domains(platform)) {
    add_all(keys_of(platform, *platform.domains.begin()), fields);
    return fields;
  }
  json::array domains(platform.domains.begin(), platform.domains.end());
  std::vector<Key> all;
  std::map<std::string, json::array> where;
  for (const std::string_view domain : platform.domains) {
    const std::vector<Key> keys = keys_of(platform, domain);
    for (const Key& each : keys) {
      where[each.name].emplace_back(domain);
      if (std::ranges::find(all, each.name, &Key::name) == all.end()) all.push_back(each);
    }
  }
  fields.push_back(to_json_object(Key{.name = std::string(kDomain),
                                      .selector = core::field::selector(core::field::Option{platform.domains}),
                                      .otherwise = domains.front()}));
  for (const Key& each : all) {
    json::object field = to_json_object(each);
    if (where[each.name].size() < domains.size()) field["domains"] = std::move(where[each.name]);
    fields.push_back(std::move(field));
  }
  return fields;
}

struct Known {
  std::vector<std::string> fields, required;
};

// The keys of each platform, read once.
const Known& known_of(const Platform& platform) {
  static const auto by_name = [] {
    std::map<std::string_view, Known> made;
    for (const Platform& each : platforms()) {
      const json::array fields = describe_fields(each);
      for (const json::value& field : fields) {
        const std::string key(field.at("key").get_string());
        made[each.name].fields.push_back(key);
        if (field.at("required").get_bool()) made[each.name].required.push_back(key);
      }
    }
    return made;
  }();
  return by_name.at(platform.name);
}

std::unexpected<base::Error> wrong(std::string_view field, std::string_view message) {
  return base::fail(base::ErrorCode::invalid, fmt::format("{}: {}", field, message));
}

// The domain of what these fields make; empty if they name one that the platform has not.
std::string_view domain_of(const Platform& platform, const json::object& fields) {
  const json::value* const named = has_domains(platform) ? fields.if_contains(kDomain) : nullptr;
  if (!named) return *platform.domains.begin();
  const std::string_view domain = named->is_string() ? std::string_view(named->get_string()) : std::string_view();
  return platform.domains.contains(domain) ? domain : std::string_view();
}

}  // namespace

base::Result<json::object> fields_of(const Platform& platform, const json::object& given, const json::object* former) {
  const Known& known = known_of(platform);
  json::object made = former ? *former : json::object();
  for (const auto& [field, value] : given) {
    if (std::ranges::find(known.fields, std::string_view(field)) == known.fields.end())
      return wrong(base::utf8_excerpt(field), fmt::format("unknown field of {}", platform.name));
    if (value.is_null())
      made.erase(field);
    else
      made[field] = value;
  }
  for (const std::string& field : known.required)
    if (!made.contains(field)) return wrong(field, fmt::format("required field of {} is missing", platform.name));
  const json::value& name = made.at(kName);
  if (!name.is_string() || name.get_string().empty() || name.get_string().size() > kMaxName)
    return wrong(kName, fmt::format("expected a text of 1 to {} bytes", kMaxName));
  if (has_domains(platform) && domain_of(platform, made).empty())
    return wrong(kDomain, fmt::format("expected one of {}", platform.domains.text()));
  core::Item item;
  item.fields = made;
  const auto plan = plan_of(platform, item);
  if (!plan->error.empty()) return base::fail(base::ErrorCode::invalid, plan->error);
  return made;
}

std::shared_ptr<Plan> plan_of(const Platform& platform, const core::Item& item) {
  auto plan = std::make_shared<Plan>();
  plan->platform = platform.name;
  plan->domain = domain_of(platform, item.fields);
  plan->unique_id = item.id;
  plan->place = fmt::format("{} {}", platform.name, item.id);
  plan->written = base::to_json(item.fields);
  const base::ConfigNode node = node_of(item.fields);
  Keys in(node);
  plan->name = in.text(kName);
  platform.parse(in, *plan);
  if (const auto read = in.finish(0); !read) {
    plan->error = read.error().message;
    plan->engine = nullptr;
    plan->unit = nullptr;
  }
  if (plan->domain.empty()) plan->domain = "sensor";
  if (plan->object_id.empty()) plan->object_id = core::slugify(plan->name);
  if (plan->object_id.empty()) plan->object_id = platform.name;
  return plan;
}

json::object describe_platforms() {
  json::object all;
  for (const Platform& each : platforms()) {
    json::array domains(each.domains.begin(), each.domains.end());
    all[each.name] = {{"domains", std::move(domains)}, {"fields", describe_fields(each)}};
  }
  return all;
}

}  // namespace hearth::derived
