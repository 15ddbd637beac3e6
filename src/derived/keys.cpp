// SPDX-License-Identifier: Apache-2.0
#include "derived/keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace hearth::derived {
namespace {

namespace field = core::field;

double bound(double value) {
  return std::abs(value) < kFar ? value : std::copysign(field::kEndless, value);
}

}  // namespace

Key& Keys::told(std::string_view key) {
  const auto found = std::ranges::find(*told_, key, &Key::name);
  return found != told_->end() ? *found : told_->emplace_back(Key{.name = std::string(key)});
}

void Keys::tell_selector(std::string_view key, json::object selector, json::value otherwise) {
  if (!told_) return;
  Key& known = told(key);
  known.selector = std::move(selector);
  known.otherwise = std::move(otherwise);
}

void Keys::tell(std::string_view key, const field::Type& type, json::value otherwise) {
  if (told_) tell_selector(key, field::selector(type), std::move(otherwise));
}

void Keys::describe_choice(std::string_view key, const std::vector<std::string_view>& names,
                           std::string_view otherwise) {
  const std::string options = fmt::format("{}", fmt::join(names, " "));
  tell(key, field::Option{options.c_str()}, otherwise.empty() ? json::value() : json::value(otherwise));
}

void Keys::describe_number(std::string_view key, const field::Type& type, json::value otherwise) {
  if (!told_) return;
  json::object selector = field::selector(type), box{{"mode", "box"}};
  json::object& number = selector.at("number").get_object();
  box.insert(number.begin(), number.end());
  number = std::move(box);
  tell_selector(key, std::move(selector), field::convert(type, otherwise) ? std::move(otherwise) : json::value());
}

void Keys::describe_entities(std::string_view key, core::Words domains, bool several) {
  if (!told_) return;
  tell(key, field::Entity{domains, several});
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
  tell_selector(key, {{"object", {{"multiple", true}, {"by", by}, {"kinds", std::move(kinds)}}}});
  told(key).required = true;
}

void Keys::require(std::string_view key) {
  if (told_) told(key).required = true;
  if (!find(key)) automation::note_missing(*this, node_, key);
}

std::string Keys::text(std::string_view key) {
  tell(key, field::Text{});
  return automation::read_text(*this, key);
}

void Keys::boolean(std::string_view key, bool& value) {
  tell(key, field::Boolean{}, value);
  ConfigReader::boolean(key, value);
}

void Keys::texts(std::string_view key, std::vector<std::string>& value, const std::vector<std::string_view>& choices) {
  const std::string offered = fmt::format("{}", fmt::join(choices, " "));
  tell(key, field::TextList{offered.c_str()},
       value.empty() ? json::value() : json::value(json::array(value.begin(), value.end())));
  ConfigReader::texts(key, value);
}

void Keys::number(std::string_view key, double& value, double min, double max, std::string_view unit) {
  describe_number(key, field::Number{bound(min), bound(max), unit}, value);
  ConfigReader::number(key, value, min, max);
}

std::optional<std::int64_t> Keys::whole_number(std::string_view key) {
  const base::ConfigNode* const given = find(key);
  const auto number = given ? given->number(-kFar, kFar) : base::fail(base::ErrorCode::invalid, "");
  return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

std::optional<double> Keys::limit(std::string_view key) {
  describe_number(key, field::Number{}, {});
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
  const double seconds = std::chrono::duration<double>(otherwise).count();
  tell(key, field::Duration{}, seconds > 0 ? json::value(seconds) : json::value());
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
  tell(key, field::Text{});
  return automation::limited_duration(*this, key, base::Duration(0), automation::DurationData::Sign::any);
}

std::optional<automation::Data> Keys::code(std::string_view key) {
  tell(key, field::Template{});
  return automation::read_data(*this, key);
}

json::object to_json_object(const Key& key) {
  json::object object{{"key", key.name}, {"selector", key.selector}, {"required", key.required}};
  if (!key.otherwise.is_null() && !key.required) object["default"] = key.otherwise;
  return object;
}

}  // namespace hearth::derived
