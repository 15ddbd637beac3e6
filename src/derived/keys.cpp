// SPDX-License-Identifier: Apache-2.0
#include "derived/keys.h"

#include <fmt/format.h>

#include <cmath>

namespace hearth::derived {
namespace {

json::array array_of(core::Words words) {
  json::array list;
  for (const std::string_view word : words) list.emplace_back(word);
  return list;
}

}  // namespace

Key& Keys::told(std::string_view key) {
  const auto found = std::ranges::find(*told_, key, &Key::name);
  return found != told_->end() ? *found : told_->emplace_back(Key{.name = std::string(key)});
}

void Keys::tell(std::string_view key, json::object selector, json::value otherwise) {
  if (!told_) return;
  Key& known = told(key);
  known.selector = std::move(selector);
  known.otherwise = std::move(otherwise);
}

void Keys::describe_choice(std::string_view key, const std::vector<std::string_view>& names,
                           std::string_view otherwise) {
  tell(key, {{"select", {{"options", json::array(names.begin(), names.end())}}}},
       otherwise.empty() ? json::value() : json::value(otherwise));
}

void Keys::describe_number(std::string_view key, double value, double min, double max, bool whole,
                           std::string_view unit) {
  if (!told_) return;
  const auto as_json = [&](double number) { return whole ? json::value(std::llround(number)) : json::value(number); };
  json::object number{{"mode", "box"}};
  if (min > -kFar) number["min"] = as_json(min);
  if (max < kFar) number["max"] = as_json(max);
  number["step"] = whole ? json::value(1) : json::value("any");
  if (!unit.empty()) number["unit_of_measurement"] = unit;
  tell(key, {{"number", std::move(number)}}, value >= min && value <= max ? as_json(value) : json::value());
}

void Keys::describe_offered(std::string_view key, core::Words offered) {
  if (offered.empty()) return tell(key, {{"text", json::object()}});
  tell(key, {{"select", {{"custom_value", true}, {"options", array_of(offered)}}}});
}

void Keys::describe_entities(std::string_view key, core::Words domains, bool several) {
  if (!told_) return;
  json::object entity;
  if (several) entity["multiple"] = true;
  if (!domains.empty()) entity["filter"] = {{"domain", array_of(domains)}};
  tell(key, {{"entity", std::move(entity)}});
  told(key).required = true;
}

void Keys::describe_list(std::string_view key, std::string_view by, const std::function<void(Keys& each)>& read) {
  if (!told_) return;
  const auto keys_of = [&](std::string_view kind) {
    base::ConfigNode::Map map;
    if (!kind.empty()) map.push_back({std::string(by), base::ConfigNode(base::ConfigNode::Place{}, std::string(kind))});
    const base::ConfigNode node(base::ConfigNode::Place{}, std::move(map));
    std::vector<Key> keys;
    Keys each(node, &keys);
    read(each);
    return keys;
  };
  json::object kinds;
  const std::vector<Key> all = keys_of("");
  const auto chosen = std::ranges::find(all, by, &Key::name);
  for (const json::value& kind : chosen->selector.at("select").at("options").as_array()) {
    json::array fields;
    const std::vector<Key> keys = keys_of(kind.get_string());
    for (const Key& each : keys)
      if (each.name != by) fields.push_back(to_json_object(each));
    kinds[kind.get_string()] = std::move(fields);
  }
  tell(key, {{"object", {{"multiple", true}, {"by", by}, {"kinds", std::move(kinds)}}}});
  told(key).required = true;
}

void Keys::require(std::string_view key) {
  if (told_) told(key).required = true;
  if (!find(key)) automation::note_missing(*this, node_, key);
}

std::string Keys::text(std::string_view key) {
  tell(key, {{"text", json::object()}});
  return automation::read_text(*this, key);
}

void Keys::boolean(std::string_view key, bool& value) {
  tell(key, {{"boolean", json::object()}}, value);
  ConfigReader::boolean(key, value);
}

void Keys::texts(std::string_view key, std::vector<std::string>& value, const std::vector<std::string_view>& choices) {
  json::object selector{{"text", {{"multiple", true}}}};
  if (!choices.empty())
    selector = {{"select", {{"multiple", true}, {"options", json::array(choices.begin(), choices.end())}}}};
  tell(key, std::move(selector), value.empty() ? json::value() : json::value(json::array(value.begin(), value.end())));
  ConfigReader::texts(key, value);
}

void Keys::number(std::string_view key, double& value, double min, double max, std::string_view unit) {
  describe_number(key, value, min, max, false, unit);
  ConfigReader::number(key, value, min, max);
}

std::optional<std::int64_t> Keys::whole_number(std::string_view key) {
  const base::ConfigNode* const given = find(key);
  const auto number = given ? given->number(-kFar, kFar) : base::fail(base::ErrorCode::invalid, "");
  return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

std::optional<double> Keys::limit(std::string_view key) {
  describe_number(key, 2 * kFar, -kFar, kFar, false, {});
  const base::ConfigNode* const given = find(key);
  if (!given || given->is_empty()) return {};
  double value = 0;
  ConfigReader::number(key, value, -kFar, kFar);
  return value;
}

std::vector<std::string> Keys::entities(std::string_view key, core::Words domains) {
  describe_entities(key, domains, true);
  return automation::read_some_entity_ids(*this, node_, key);
}

std::string Keys::entity(std::string_view key, core::Words domains, std::string_view expected) {
  describe_entities(key, domains, false);
  const auto ids = automation::read_some_entity_ids(*this, node_, key);
  if (ids.size() > 1) automation::note(*this, *find(key), find(key)->mismatch(expected));
  return ids.empty() ? std::string() : ids.front();
}

base::Duration Keys::span(std::string_view key, base::Duration otherwise, base::Duration min) {
  if (told_) {
    const double seconds = std::chrono::duration<double>(otherwise).count();
    tell(key, {{"duration", {{"enable_day", true}}}}, seconds > 0 ? json::value(seconds) : json::value());
  }
  const base::Duration read = automation::limited_duration(*this, key, otherwise);
  const base::ConfigNode* const node = find(key);
  if (node && read < min && !node->broken()) {
    automation::note(*this, *node,
                     fmt::format("expected at least {} seconds", std::chrono::duration<double>(min).count()));
    return otherwise;
  }
  return read;
}

base::Duration Keys::shift(std::string_view key) {
  tell(key, {{"text", json::object()}});
  return automation::limited_duration(*this, key, base::Duration(0), automation::DurationData::Sign::any);
}

std::optional<automation::Data> Keys::code(std::string_view key) {
  tell(key, {{"template", json::object()}});
  return automation::read_data(*this, key);
}

json::object to_json_object(const Key& key) {
  json::object object{{"key", key.name}, {"selector", key.selector}, {"required", key.required}};
  if (!key.otherwise.is_null() && !key.required) object["default"] = key.otherwise;
  return object;
}

}  // namespace hearth::derived
