// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text/number.h"
#include "base/text/truth.h"
#include "base/text/utf8.h"
#include "core/mqtt.h"

namespace hearth::integrations::mqtt {
namespace {

using enum KeyType;

constexpr Key kShared[] = {
    {.name = "unique_id", .type = text},
    {.name = "name", .type = text},
    {.name = "object_id", .type = text},
    {.name = "default_entity_id", .type = text},
    {.name = "icon", .type = text},
    {.name = "entity_category", .type = option, .options = "config diagnostic"},
    {.name = "entity_picture", .type = text},
    {.name = "enabled_by_default", .type = boolean, .number = 1},
    {.name = "device_class", .type = text},
    {.name = "availability_topic", .type = topic},
    {.name = "availability_template", .type = template_text},
    {.name = "payload_available", .type = payload, .fallback = "online"},
    {.name = "payload_not_available", .type = payload, .fallback = "offline"},
    {.name = "availability_mode", .type = option, .fallback = "latest", .options = "all any latest"},
    {.name = "json_attributes_topic", .type = topic},
    {.name = "json_attributes_template", .type = template_text},
    {.name = "qos", .type = number, .min = 0, .max = 2},
    {.name = "retain", .type = boolean},
    {.name = "encoding", .type = text, .fallback = "utf-8"},
    {.name = "optimistic", .type = boolean},
    {.name = "group", .type = texts},
    {.name = "also_topics", .type = texts},  // further topics with the same messages as the state's
};

constexpr std::size_t kMaxTopic = 65'535;        // MQTT 5 §1.5.4
constexpr std::size_t kMaxTemplate = 64 * 1024;  // bytes
constexpr std::size_t kMaxTexts = 1'000;         // of a list

std::string_view expected_topic(KeyType type, std::string_view topic) {
  if (topic.empty() || topic.size() > kMaxTopic) return "a topic of 1 to 65535 bytes";
  if (topic.find('\0') != std::string_view::npos) return "a topic without null characters";
  if (type == command_topic && topic.find_first_of("#+") != std::string_view::npos) return "a topic without wildcards";
  if (type == KeyType::topic && !core::is_topic_filter(topic)) return "a topic with + and # as whole levels only";
  return {};
}

std::optional<bool> parse_boolean(const json::value& value) {
  if (value.is_bool()) return value.get_bool();
  if (value.is_number()) return value.to_number<double>() != 0;
  return value.is_string() ? base::parse_boolean(value.get_string()) : std::nullopt;
}

// The list with each text once; null if something else is in it.
std::optional<json::array> parse_texts(const json::value& value) {
  if (!value.is_array() || value.get_array().size() > kMaxTexts) return {};
  json::array list;
  for (const json::value& each : value.get_array()) {
    if (!each.is_string() && !each.is_number() && !each.is_bool()) return {};
    json::value text(printed(each));
    if (std::ranges::find(list, text) == list.end()) list.push_back(std::move(text));
  }
  return list;
}

std::string bounds_text(const Key& key) {
  if (key.min == -kNoBound && key.max == kNoBound) return "a number";
  if (key.max == kNoBound) return fmt::format("a number from {}", key.min);
  if (key.min == -kNoBound) return fmt::format("a number up to {}", key.max);
  return fmt::format("a number from {} to {}", key.min, key.max);
}

// The value as Settings keeps it, or what was expected.
std::expected<json::value, std::string> converted(const Key& key, const json::value& value) {
  switch (key.type) {
    case topic:
    case command_topic:
      if (const std::string_view expected = expected_topic(key.type, value.get_string()); !expected.empty())
        return std::unexpected(std::string(expected));
      return value;
    case template_text:
      if (value.is_string() && value.get_string().size() <= kMaxTemplate) return value;
      return std::unexpected("a template of at most 64 KiB");
    case text:
      if (const auto found = scalar_text(value)) return json::value(*found);
      return std::unexpected("a text");
    case payload:
      if (value.is_object() || value.is_array()) return std::unexpected("a text");
      return json::value(printed(value));
    case number: {
      std::optional<double> found;
      if (value.is_number()) found = value.to_number<double>();
      if (value.is_string()) found = base::parse_number(value.get_string());
      if (!found || *found < key.min || *found > key.max) return std::unexpected(bounds_text(key));
      return json::value(*found);
    }
    case boolean:
      if (const auto found = parse_boolean(value)) return json::value(*found);
      return std::unexpected("true or false");
    case texts:
      if (auto found = parse_texts(value)) return json::value(std::move(*found));
      return std::unexpected("a list of texts");
    case option:
      if (value.is_string() && key.options.contains(value.get_string())) return value;
      return std::unexpected(fmt::format("one of {}", fmt::join(key.options.begin(), key.options.end(), ", ")));
  }
  return std::unexpected("something else");
}

}  // namespace

const std::span<const Key> kSharedKeys = kShared;

std::string printed(const json::value& value) {
  if (value.is_string()) return std::string(value.get_string());
  if (value.is_bool()) return value.get_bool() ? "True" : "False";
  if (value.is_null()) return "None";
  return base::to_json(value);
}

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
  const bool is_topic = key.type == topic || key.type == command_topic;
  const auto refuse = [&](std::string_view expected) -> base::Result<void> {
    std::string reason = fmt::format("expected {}, got {}", expected, base::utf8_excerpt(base::to_json(value)));
    if (key.required || (is_topic && !value.is_string()))
      return base::fail(base::ErrorCode::invalid, fmt::format("{}: {}", key.name, reason));
    drop(key.name, std::move(reason), dropped);
    return {};
  };
  if (value.is_null()) {
    if (key.required) return base::fail(base::ErrorCode::invalid, fmt::format("{}: expected, but missing", key.name));
    values_.push_back({&key, nullptr});
    return {};
  }
  if (is_topic && !value.is_string()) return refuse("a topic");
  auto kept = converted(key, value);
  if (!kept) return refuse(kept.error());
  if (key.type == template_text) {
    auto made = templates.compile(kept->get_string());
    if (!made) return refuse(made.error().message);
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
  return known && known->type == KeyType::number;
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
