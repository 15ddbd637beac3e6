// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hearth::integrations::mqtt {
namespace {

constexpr Key kShared[] = {
    {.name = "unique_id", .type = field::Text{}},
    {.name = "name", .type = field::Text{}},
    {.name = "object_id", .type = field::Text{}},
    {.name = "default_entity_id", .type = field::Text{}},
    {.name = "icon", .type = field::Text{}},
    {.name = "entity_category", .type = field::Option{"config diagnostic"}},
    {.name = "entity_picture", .type = field::Text{}},
    {.name = "enabled_by_default", .type = field::Boolean{}, .number = 1},
    {.name = "device_class", .type = field::Text{}},
    {.name = "availability_topic", .type = field::TopicFilter{}},
    {.name = "availability_template", .type = field::Template{}},
    {.name = "payload_available", .type = field::Payload{}, .fallback = "online"},
    {.name = "payload_not_available", .type = field::Payload{}, .fallback = "offline"},
    {.name = "availability_mode", .type = field::Option{"all any latest"}, .fallback = "latest"},
    {.name = "json_attributes_topic", .type = field::TopicFilter{}},
    {.name = "json_attributes_template", .type = field::Template{}},
    {.name = "qos", .type = field::Number{0, 2}},
    {.name = "retain", .type = field::Boolean{}},
    {.name = "encoding", .type = field::Text{}, .fallback = "utf-8"},
    {.name = "optimistic", .type = field::Boolean{}},
    {.name = "group", .type = field::TextSet{}},
    {.name = "also_topics", .type = field::TextSet{}},  // further topics with the same messages as the state's
};

bool is_topic(const field::Type& type) {
  return std::holds_alternative<field::Topic>(type) || std::holds_alternative<field::TopicFilter>(type);
}

}  // namespace

const std::span<const Key> kSharedKeys = kShared;

std::string number_text(double number) {
  if (std::abs(number) < 1e15 && number == std::trunc(number))
    return fmt::format("{}", static_cast<std::int64_t>(number));
  return fmt::format("{}", number);
}

templates::Value template_value(double number) {
  if (std::abs(number) < 1e15 && number == std::trunc(number)) return static_cast<std::int64_t>(number);
  return number;
}

templates::Value template_value(const json::value& value) {
  return value.is_number() ? template_value(value.to_number<double>()) : templates::Value::from_json(value);
}

base::Result<void> Settings::set(const Key& key, const json::value& value, TemplateTexts& templates,
                                 std::vector<DroppedKey>& dropped) {
  const auto refuse = [&](std::string reason) -> base::Result<void> {
    if (key.required || (is_topic(key.type) && !value.is_string()))
      return base::fail(base::ErrorCode::invalid, fmt::format("{}: {}", key.name, reason));
    drop(key.name, std::move(reason), dropped);
    return {};
  };
  if (value.is_null()) {
    if (key.required) return base::fail(base::ErrorCode::invalid, fmt::format("{}: expected, but missing", key.name));
    values_.push_back({&key, nullptr});
    return {};
  }
  auto kept = field::convert(key.type, value, field::Writer::device);
  if (!kept) return refuse(field::complaint(key.type, value));
  if (std::holds_alternative<field::Template>(key.type)) {
    auto made = templates.compile(kept->get_string());
    if (!made) return refuse(field::mismatch(made.error().message, value));
    templates_.push_back({&key, std::move(*made)});
    return {};
  }
  values_.push_back({&key, std::move(*kept)});
  return {};
}

base::Result<Settings> Settings::read(std::span<const Key> table, const json::object& keys, TemplateTexts& templates,
                                      std::vector<DroppedKey>& dropped) {
  Settings settings;
  settings.table_ = table;
  for (const std::span<const Key> part : {table, kSharedKeys}) {
    for (const Key& key : part) {
      const json::value* const value = keys.if_contains(key.name);
      if (!value) {
        if (key.required)
          return base::fail(base::ErrorCode::invalid, fmt::format("{}: expected, but missing", key.name));
        continue;
      }
      if (settings.find(key.name)) continue;  // the component's own meaning of a shared key
      if (auto taken = settings.set(key, *value, templates, dropped); !taken) return std::unexpected(taken.error());
    }
  }
  return settings;
}

const json::value* Settings::find(std::string_view key) const {
  const auto found = std::ranges::find(values_, key, [](const Value& each) { return each.key->name; });
  return found == values_.end() ? nullptr : &found->value;
}

const MessageTemplate* Settings::find_template(std::string_view key) const {
  const auto found = std::ranges::find(templates_, key, [](const Template& each) { return each.key->name; });
  return found == templates_.end() ? nullptr : &found->compiled;
}

const Key* Settings::find_key(std::string_view name) const {
  for (const std::span<const Key> part : {table_, kSharedKeys}) {
    const auto found = std::ranges::find(part, name, &Key::name);
    if (found != part.end()) return &*found;
  }
  return nullptr;
}

bool Settings::has(std::string_view key) const {
  if (find_template(key)) return true;
  const json::value* const value = find(key);
  return value && !value->is_null();
}

bool Settings::has_any(core::Words keys) const {
  return std::ranges::any_of(keys, [this](std::string_view key) { return has(key); });
}

bool Settings::denied(std::string_view key) const {
  const json::value* const value = find(key);
  return value && value->is_null();
}

bool Settings::broken(std::string_view key) const {
  return std::ranges::find(broken_, key) != broken_.end();
}

std::string_view Settings::text(std::string_view key) const {
  const json::value* const value = find(key);
  if (value && value->is_string()) return value->get_string();
  const Key* const known = find_key(key);
  if (!known) return {};
  return known->same_as.empty() ? known->fallback : text(known->same_as);
}

double Settings::number(std::string_view key) const {
  const json::value* const value = find(key);
  if (value && value->is_double()) return value->get_double();
  const Key* const known = find_key(key);
  return known ? known->number : 0;
}

bool Settings::is_number(std::string_view key) const {
  const Key* const known = find_key(key);
  return known && std::holds_alternative<field::Number>(known->type);
}

bool Settings::boolean(std::string_view key) const {
  const json::value* const value = find(key);
  if (value && value->is_bool()) return value->get_bool();
  const Key* const known = find_key(key);
  return known && known->number != 0;
}

const json::array& Settings::texts(std::string_view key) const {
  static const json::array none;
  const json::value* const value = find(key);
  return value && value->is_array() ? value->get_array() : none;
}

bool Settings::lists(std::string_view key, std::string_view text) const {
  return std::ranges::find(texts(key), json::value(text)) != texts(key).end();
}

const MessageTemplate* Settings::compiled(std::string_view key) const {
  if (const MessageTemplate* const found = find_template(key)) return found;
  const Key* const known = find_key(key);
  return known && !known->same_as.empty() ? compiled(known->same_as) : nullptr;
}

void Settings::forget(core::Words keys) {
  std::erase_if(values_, [&](const Value& each) { return keys.contains(each.key->name); });
  values_.shrink_to_fit();
  templates_.shrink_to_fit();
}

void Settings::drop(std::string_view key, std::string reason, std::vector<DroppedKey>& dropped) {
  std::erase_if(values_, [&](const Value& each) { return each.key->name == key; });
  std::erase_if(templates_, [&](const Template& each) { return each.key->name == key; });
  broken_.emplace_back(key);
  dropped.push_back({std::string(key), std::move(reason)});
}

}  // namespace hearth::integrations::mqtt
